"""The units and currencies that `kgstore.verifier.values.units` knows, as tables to read and extend.

``~`` marks a name that only may mean the unit, ``?`` a currency name that is never sure.
"""

from __future__ import annotations

# dimension, factor, names (singular; all compared without case and number), symbols (case counts)
UNITS = """
length    0.3048          | foot                                                             | ft ′ '
length    0.0254          | inch                                                             | in ′′ "
length    0.9144          | yard                                                             | yd
length    1609.344        | mile, statute mile, international mile                           | mi
length    1852            | nautical mile                                                    | nmi NM
length    1.8288          | fathom                                                           |
length    201.168         | furlong                                                          |
length    1066.8          | verst                                                            |
length    149597870700    | astronomical unit                                                | AU au ua
length    9460730472580800 | light year, light-year, lightyear                               | ly
length    1E-10           | angstrom, ångström                                               | Å
area      100             | are                                                              |
area      10000           | hectare, square hectometre, square hectometer                    | ha
area      4046.8564224    | acre                                                             | ac
area      1000            | dunam, decare                                                    |
volume    158.987294928   | ~barrel                                                          | ~bbl
volume    3.785411784     | US gallon, ~gallon                                               | ~gal
volume    4.54609         | imperial gallon, ~gallon                                         | ~gal
volume    0.473176473     | ~pint                                                            |
volume    0.56826125      | imperial pint, ~pint                                             |
mass      1000            | tonne, metric ton, metric tonne, ~ton                            | t
mass      907.18474       | short ton, US ton, ~ton                                          |
mass      1016.0469088    | long ton, imperial ton, ~ton                                     |
mass      0.45359237      | pound, avoirdupois pound, pound mass                             | lb lbs lbm
mass      0.028349523125  | ounce                                                            | oz
mass      0.0311034768    | troy ounce                                                       |
mass      6.35029318      | stone                                                            |
mass      1.66053906660E-27 | dalton, atomic mass unit, unified atomic mass unit             | Da u amu
mass      0.0002          | carat                                                            |
time      60              | minute                                                           | min mins
time      3600            | hour                                                             | h hr hrs
time      86400           | day, earth day                                                   |
time      604800          | week                                                             |
time      1209600         | fortnight                                                        |
time      2629800         | month                                                            |
time      31557600        | year, year old, year of age, annum, solar year, julian year, gregorian year | yr yrs
time      31556925.2      | tropical year                                                    |
time      315576000       | decade                                                           |
time      3155760000      | century                                                          |
time      31557600000     | millennium                                                       |
ratio     0.01            | percent, per cent, percentage, percentage point                  | % pct
ratio     0.001           | per mille, permille, per mill                                    | ‰
ratio     0.000001        | part per million                                                 | ppm
angle     1               | arcdegree, degree of arc, angular degree, degree                 | °
angle     0.016666666666666666666666667 | arcminute, minute of arc, arc minute               | arcmin
angle     0.00027777777777777777777777778 | arcsecond, second of arc, arc second             | arcsec
angle     57.295779513082320876798154814 | radian                                            | rad
speed     0.277777777777777777777777778 | kilometre per hour, kilometer per hour             | km/h kmh kph
speed     1               | metre per second, meter per second                               | m/s
speed     1000            | kilometre per second, kilometer per second                       | km/s
speed     0.44704         | mile per hour                                                    | mph mi/h
speed     0.3048          | foot per second                                                  | ft/s fps
speed     0.514444444444444444444444444 | knot                                               | kn kt
flow      1000            | cubic metre per second, cubic meter per second, cumec            | m3/s
flow      28.316846592    | cubic foot per second                                            | ft3/s cfs
flow      1               | litre per second, liter per second                               | l/s L/s
density   1               | kilogram per cubic metre, kilogram per cubic meter               | kg/m3
density   1000            | gram per cubic centimetre, gram per cubic centimeter, gram per millilitre | g/cm3 g/cc g/ml
acceleration 1            | metre per second squared, metre per square second                | m/s2
pressure  101325          | atmosphere, standard atmosphere                                  | atm
pressure  100000          | bar                                                              |
pressure  6894.757293168  | pound per square inch                                            | psi
pressure  133.322387415   | millimetre of mercury                                            | mmHg
power     745.69987158227022 | horsepower, mechanical horsepower                             | hp
data      1               | bit                                                              |
loudness  1               | decibel                                                          | dB
scale     1               | magnitude                                                        | mag
"""

# names; symbol; dimension; factor of the plain unit; prefixes
METRIC = """
metre meter       | m  | length   | 1     | n μ m c d h k M
gram gramme       | g  | mass     | 0.001 | n μ m k M
tonne             | t  | mass     | 1000  | k M G
litre liter       | l L | volume  | 1     | μ m c d h M
second            | s sec secs | time | 1  | n μ m
watt              | W  | power    | 1     | m k M G T
watt-hour         | Wh | energy   | 3600  | k M G T
joule             | J  | energy   | 1     | m k M G T
calorie           | cal | energy  | 4.184 | k
electronvolt      | eV | energy   | 1.602176634E-19 | k M G T
volt              | V  | voltage  | 1     | μ m k M
ampere amp        | A  | current  | 1     | n μ m k
ohm               | Ω  | resistance | 1   | m k M
hertz             | Hz | frequency | 1    | k M G T
newton            | N  | force    | 1     | m k M
pascal            | Pa | pressure | 1     | h k M G
tesla             | T  | field    | 1     | n μ m
byte              | B  | data     | 8     | k M G T P
parsec            | pc | length   | 30856775814913673 | k M G
"""

PREFIXES = {
    "n": ("nano", -9), "μ": ("micro", -6), "m": ("milli", -3), "c": ("centi", -2), "d": ("deci", -1), "h": ("hecto", 2),
    "k": ("kilo", 3), "M": ("mega", 6), "G": ("giga", 9), "T": ("tera", 12), "P": ("peta", 15),
}

# code; names and signs of its own; names and signs that several share (only the first code that has one is sure)
CURRENCIES = """
USD | United States dollar, US dollar, U.S. dollar, American dollar, USD, US$, U$ | dollar, $, buck
EUR | euro, EUR, €                                                          |
GBP | pound sterling, British pound, GBP, sterling, quid, GB£              | £, pound
JPY | Japanese yen, JPY, yen, JP¥                                           | ?¥
CNY | renminbi, yuan, Chinese yuan, CNY, RMB, CN¥                           | ?¥
CAD | Canadian dollar, CAD, C$, CA$                                         | dollar, $
AUD | Australian dollar, AUD, A$, AU$                                       | dollar, $
NZD | New Zealand dollar, NZD, NZ$                                          | dollar, $
HKD | Hong Kong dollar, HKD, HK$                                            | dollar, $
SGD | Singapore dollar, SGD, S$                                             | dollar, $
TWD | New Taiwan dollar, TWD, NT$                                           | dollar, $
CHF | Swiss franc, CHF                                                      | ?franc
FRF | French franc, FRF                                                     | ?franc
BEF | Belgian franc, BEF                                                    | ?franc
DEM | Deutsche Mark, German mark, Deutschmark, D-Mark, DEM                  | ?mark
FIM | Finnish markka, markka, Finnish mark                                  | ?mark
RUB | Russian ruble, Russian rouble, RUB, ₽                                 | ruble, rouble
BYN | Belarusian ruble, Belarusian rouble, BYN                              | ruble, rouble
SUR | Soviet ruble, Soviet rouble                                           | ruble, rouble
INR | Indian rupee, INR, ₹                                                  | rupee, Rs
PKR | Pakistani rupee, PKR                                                  | rupee, Rs
BRL | Brazilian real, BRL, R$, reais                                        |
MXN | Mexican peso, MXN, MX$                                                | ?peso, $
PHP | Philippine peso, Philippine piso, PHP, ₱                              | ?peso
ARS | Argentine peso, ARS                                                   | ?peso, $
COP | Colombian peso, COP                                                   | ?peso, $
CLP | Chilean peso, CLP                                                     | ?peso, $
SEK | Swedish krona, SEK                                                    | ?krona, ?kr, ?crown, ?kronor
NOK | Norwegian krone, NOK                                                  | ?krone, ?kr, ?crown, ?kroner
DKK | Danish krone, DKK                                                     | ?krone, ?kr, ?crown, ?kroner
ISK | Icelandic króna, ISK                                                  | ?krona, ?kr
CZK | Czech koruna, Czech crown, CZK, Kč                                    | ?koruna, ?crown
UAH | Ukrainian hryvnia, hryvnia, UAH, ₴                                    |
PLN | Polish złoty, Polish zloty, złoty, zloty, PLN, zł                     |
KRW | South Korean won, Korean won, KRW, ₩                                  | ?won
TRY | Turkish lira, TRY, ₺                                                  | ?lira
ITL | Italian lira, ITL                                                     | ?lira
ILS | Israeli new shekel, Israeli shekel, shekel, ILS, ₪                    |
SAR | Saudi riyal, SAR                                                      | ?riyal
QAR | Qatari riyal, QAR                                                     | ?riyal
IRR | Iranian rial, IRR                                                     | ?rial
AED | United Arab Emirates dirham, UAE dirham, AED                          | ?dirham
ZAR | South African rand, rand, ZAR                                         |
NGN | Nigerian naira, naira, NGN, ₦                                         |
IDR | Indonesian rupiah, rupiah, IDR, Rp                                    |
THB | Thai baht, baht, THB, ฿                                               |
MYR | Malaysian ringgit, ringgit, MYR                                       |
HUF | Hungarian forint, forint, HUF                                         |
"""
