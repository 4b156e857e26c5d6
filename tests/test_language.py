"""Which language a text is in: others are recognised, and no English text is taken for one, whatever names it has."""

from __future__ import annotations

import pytest

from kgstore.verifier.english.language import is_other, language, name_of

OTHER = {
    "de": "Douglas Adams wurde in Cambridge geboren und arbeitete für die BBC.",
    "fr": "Douglas Adams est né à Cambridge et travaillait pour la BBC.",
    "es": "Douglas Adams nació en Cambridge. La película fue dirigida por Steven Spielberg.",
    "it": "Il film è stato diretto da Steven Spielberg e prodotto da Kathleen Kennedy.",
    "pt": "O filme foi dirigido por Steven Spielberg e produzido por Kathleen Kennedy.",
    "nl": "Douglas Adams werd geboren in Cambridge en werkte voor de BBC.",
    "sv": "Douglas Adams föddes i Cambridge och arbetade för BBC.",
    "da": "Filmen blev instrueret af Steven Spielberg og havde premiere i 1993.",
    "pl": "Douglas Adams urodził się w Cambridge i pracował dla BBC.",
    "cs": "Douglas Adams se narodil v Cambridgi a pracoval pro BBC.",
    "fi": "Elokuvan ohjasi Steven Spielberg ja se sai ensi-iltansa vuonna 1993.",
    "hu": "Douglas Adams Cambridge-ben született és a BBC-nek dolgozott.",
    "ro": "Douglas Adams s-a născut la Cambridge și a lucrat pentru BBC.",
    "tr": "Film Steven Spielberg tarafından yönetildi ve bu yıl gösterime girdi.",
    "id": "Douglas Adams lahir di Cambridge dan bekerja untuk BBC.",
    "vi": "Hà Nội là thủ đô của Việt Nam.",
    "ru": "Дуглас Адамс родился в Кембридже и работал на BBC.",
    "uk": "Київ є столицею України.",
    "el": "Η Αθήνα είναι η πρωτεύουσα της Ελλάδας.",
    "ar": "القاهرة هي عاصمة مصر.",
    "he": "ירושלים היא עיר.",
    "hi": "दिल्ली भारत की राजधानी है।",
    "zh": "北京是中国的首都。",
    "ja": "東京は日本の首都です。",
    "ko": "서울은 대한민국의 수도이다.",
    "th": "กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย",
}


@pytest.mark.parametrize("code", OTHER)
def test_a_text_in_another_language_is_recognised(code):
    assert language(OTHER[code]) == code and is_other(code) and name_of(code) != code


@pytest.mark.parametrize(
    "text",
    [
        "Duele Menos (English: Hurts Less) is a Latin pop song written by Kany García",
        "Die fetten Jahre sind vorbei is a film by Hans Weingartner.",
        "La vita è bella stars Roberto Benigni, Nicoletta Braschi and Giorgio Cantarini.",
        "Gabriel García Márquez wrote Cien años de soledad, El amor en los tiempos del cólera and other books.",
        "Antoine César Becquerel belongs to Accademia Nazionale delle Scienze detta dei XL.",
        "Lech Wałęsa founded Niezależny Samorządny Związek Zawodowy Solidarność.",
        "Klaus von der Krone speaks German.",
        "São Paulo, Rio de Janeiro, Belo Horizonte e Porto Alegre",
        "Edvard Beneš attended École pratique des hautes études.",
        "Foel Hafod-fynydd is a subsidiary summit of Aran Fawddwy in southern Snowdonia, North Wales, United Kingdom.",
        "Beijing (北京) is the capital of China (中华人民共和国).",
        "Nikita Mikhalkov directed Утомлённые солнцем (Burnt by the Sun).",
        "Ireland: r kearney; k earls, g ringrose, r henshaw, s zebo; p jackson, c murray; j mcgrath, r best.",
        "Aspirin 100 mg, π = 3.14",
        "",
    ],
)
def test_an_english_text_full_of_foreign_names_stays_english(text):
    assert not is_other(language(text))


def test_what_is_too_short_to_tell_is_said_to_be_so():
    assert language("Rio de Janeiro") == language("Warszawa.") == language("1931") == "und"


def test_a_long_english_text_may_quote():
    assert language("She was born in Rome and lived in Milan. " * 5 + "He said: la vita è bella e non finisce.") == "en"
