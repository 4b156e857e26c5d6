"""Names of units and what they are worth in SI: enough to compare amounts, never to convert currencies.

A name may have several readings ("pound", "degree", "$"). A reading that is only possible, not usual, is not ``sure``.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache


@dataclass(frozen=True, slots=True)
class Unit:
    """``value * factor + offset`` is the value in the base unit of the dimension; a currency is its own dimension."""

    name: str
    dimension: str
    factor: Decimal = Decimal(1)
    offset: Decimal = Decimal(0)
    sure: bool = True


# dimension, factor, names (singular; all compared without case and number), symbols (case counts)
_UNITS = """
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
time      31557600        | year, year old, year of age, annum, solar year, julian year, gregorian year, tropical year | yr yrs
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
_METRIC = """
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

_PREFIXES = {"n": ("nano", -9), "μ": ("micro", -6), "m": ("milli", -3), "c": ("centi", -2), "d": ("deci", -1),
             "h": ("hecto", 2), "k": ("kilo", 3), "M": ("mega", 6), "G": ("giga", 9), "T": ("tera", 12), "P": ("peta", 15)}

# code; names and signs of its own; names and signs that several share (only the first code that has one is sure)
_CURRENCIES = """
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

COUNTING = frozenset(
    "human|human being|person|individual|inhabitant|resident|member|country|state|member state|member states|states|household|seat|"
    "individual seat|unit|item|piece|number|copy|episode|season|floor|storey|page|volume|building|vehicle|student|employee|"
    "visitor|speaker".split("|"))
"""Stored "units" that only say what is counted."""

_IRREGULAR = {"feet": "foot", "inches": "inch", "people": "person", "men": "man", "women": "woman", "children": "child",
              "centuries": "century", "millennia": "millennium", "reais": "real", "hertz": "hertz", "states": "states"}
_KEEP = ("ss", "us", "is")


def singular(word: str) -> str:
    """``word`` without its plural ending, by rule of thumb; case is kept.

    >>> [singular(word) for word in ("metres", "feet", "inches", "countries", "Celsius", "glass")]
    ['metre', 'foot', 'inch', 'country', 'Celsius', 'glass']
    """
    low = word.lower()
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if len(low) < 4 or not low.endswith("s") or low.endswith(_KEEP):
        return word
    if low.endswith("ies") and len(low) > 5:
        return word[:-3] + "y"
    return word[:-2] if low.endswith(("ches", "shes", "xes", "sses")) else word[:-1]


def fold(name: str) -> str:
    """A unit's name for comparison: no case, no plural, single spaces."""
    return " ".join(singular(word) for word in re.findall(r"[^\W_]+|[^\w\s.]+", name.casefold()))


def _symbol(text: str) -> str:
    text = unicodedata.normalize("NFKC", text.replace("µ", "μ").replace("²", "2").replace("³", "3"))
    return text.translate({ord(char): None for char in " ^.·"})


def readings(name: str) -> tuple[Unit, ...]:
    """What a unit's name or symbol may mean; empty when it is not known.

    >>> [(unit.name, unit.sure) for unit in readings("pounds")]
    [('pound', True), ('GBP', True)]
    """
    names, symbols, loose = _tables()
    symbol = _symbol(name)
    found = names.get(fold(name), ()) or symbols.get(symbol, ())
    return tuple(found or (loose.get(symbol.casefold(), ()) if len(symbol) > 1 else ()))


Table = dict[str, list[Unit]]


@cache
def _tables() -> tuple[Table, Table, Table]:
    """Names, symbols, and symbols without case where that changes nothing."""
    names: Table = {}
    symbols: Table = {}

    def put(table: Table, key: str, unit: Unit) -> None:
        if unit not in (known := table.setdefault(key, [])):
            known.append(unit)

    for unit, words, signs in (*_plain(), *_metric(), *_temperatures(), *_currencies()):
        for word in words:
            put(names, fold(word.lstrip("~")), replace(unit, sure=unit.sure and not word.startswith("~")))
        for sign in signs:
            put(symbols, _symbol(sign.lstrip("~")), replace(unit, sure=unit.sure and not sign.startswith("~")))
    for table in (names, symbols):                                      # an area and a volume for every length
        for key, units in list(table.items()):
            for unit in units:
                if unit.dimension == "length" and unit.name.lower() not in ("light year", "parsec"):
                    for power, word, short, dimension in ((2, "square", "sq", "area"), (3, "cubic", "cu", "volume")):
                        factor = unit.factor ** power * (1000 if power == 3 else 1)
                        raised = Unit(f"{word} {unit.name}", dimension, factor)
                        if table is names:
                            put(names, f"{word} {key}", raised)
                            put(names, f"{short} {key}", raised)
                        else:
                            put(symbols, f"{key}{power}", raised)
                            put(symbols, f"{short}{key}", raised)
                            put(names, f"{word} {key.casefold()}", raised)
    loose: Table = {}
    for key, units in symbols.items():
        loose.setdefault(key.casefold(), []).extend(units)
    return names, symbols, {key: units for key, units in loose.items() if len({unit.name for unit in units}) == 1}


Row = tuple[Unit, list[str], list[str]]


def _rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]


def _plain() -> list[Row]:
    rows: list[Row] = []
    for head, words, signs in _rows(_UNITS):
        dimension, factor = head.split()
        spelled = [word.strip() for word in words.split(",")]
        rows.append((Unit(spelled[0].lstrip("~"), dimension, Decimal(factor)), spelled, signs.split()))
    return rows


def _metric() -> list[Row]:
    rows: list[Row] = []
    for words, signs, dimension, factor, prefixes in _rows(_METRIC):
        spelled = [word.replace("-", " ") for word in words.split()]
        rows.append((Unit(spelled[0], dimension, Decimal(factor)), spelled, signs.split()))
        for sign in prefixes.split():
            prefix, power = _PREFIXES[sign]
            unit = Unit(prefix + spelled[0], dimension, Decimal(factor).scaleb(power))
            more = ["kilo"] if unit.name == "kilogram" else []
            rows.append((unit, [prefix + word for word in spelled] + more, [sign + one for one in signs.split()[:2]]))
    return rows


def _temperatures() -> list[Row]:
    fifth, zero = Decimal(5) / 9, Decimal("273.15")
    fahrenheit = Unit("degree Fahrenheit", "temperature", fifth, Decimal("459.67") * fifth)
    return [
        (Unit("kelvin", "temperature"), ["kelvin", "kelvin degree"], ["K"]),
        (Unit("degree Celsius", "temperature", offset=zero),
         ["degree celsius", "celsius", "degree centigrade", "centigrade", "~degree"], ["°C", "~°"]),
        (fahrenheit, ["degree fahrenheit", "fahrenheit", "~degree"], ["°F", "~°"]),
    ]


def _currencies() -> list[Row]:
    rows: list[Row] = []
    taken: set[str] = set()
    for code, own, shared in _rows(_CURRENCIES):
        every = [name.strip() for name in own.split(",")]
        for name in (name.strip() for name in shared.split(",") if name.strip()):
            every.append(("~" if name in taken or name.startswith("?") else "") + name.lstrip("?"))
            taken.add(name)
        rows.append((Unit(code, f"currency {code}"), every, every))
    return rows
