"""The words and people of `daily`: relatives, chores, things and places, and tables of entries for its templates.

A table's entries have both languages. Where these do not go word by word, words that belong together share a tag.
"""

import itertools

from . import lexicon
from .grammar import Scene, agree
from .lexicon import NAMES, NOUNS, PEOPLE, PRONOUNS, VERBS, Noun, Verb, _rows, _verb, person

# --- People ---------------------------------------------------------------------------------------------------------

ME, WE, YOU, HE, SHE, THEY = PRONOUNS.values()
_PARENTS = """\
mother 3fs आई आई
father 3mp वडील वडिलां
brother 3ms भाऊ भावा
sister 3fs बहीण बहिणी
friend 3ms मित्र मित्रा
"""
_CLOSE = """\
son 3ms मुलगा मुला
daughter 3fs मुलगी मुली
elder_brother 3ms मोठा_भाऊ मोठ्या_भावा
younger_sister 3fs धाकटी_बहीण धाकट्या_बहिणी
uncle 3mp काका काकां
aunt 3fs मावशी मावशी
"""
_COUPLE = """\
wife 3fs बायको बायको
husband 3ms नवरा नवऱ्या
"""
_IN_LAWS = """\
mother-in-law 3fs सासू सासू
father-in-law 3mp सासरे सासऱ्यां
brother-in-law 3ms मेहुणा मेहुण्या
sister-in-law 3fs वहिनी वहिनी
daughter-in-law 3fs सून सुने
son-in-law 3ms जावई जावया
"""
_WIFES_IN_LAWS = """\
mother-in-law 3fs सासू सासू
father-in-law 3mp सासरे सासऱ्यां
brother-in-law 3ms दीर दिरा
sister-in-law 3fs नणंद नणंदे
"""
_CALLED_ON = """\
the_lawyer 3mp वकील वकिलां
the_tailor 3ms शिंपी शिंप्या
the_police 3mp पोलीस पोलिसां
"""


def _kin(owner, stem, table):
    """Returns somebody's relatives: my mother-in-law, माझी सासू."""
    return [
        person(f"{owner} {en}", own, "s", f"{agree(stem, own[1:])} {mr}", f"{agree(stem, 'fp')} {oblique}")
        for en, own, mr, oblique in _rows(table)
    ]


_MINE = _kin("my", "माझ", _CLOSE + _COUPLE)
_IN_LAW = _kin("my", "माझ", _IN_LAWS) + _kin("her", "तिच", _WIFES_IN_LAWS)
_YOURS = _kin("your", "तुमच", _PARENTS + _CLOSE + _IN_LAWS)
_NAMED = list(NAMES.values())
_FEW = [NAMES[name] for name in ("Rahul", "Neha", "Amit", "Priya")]
_NEAREST = [PEOPLE[who] for who in ("Dad", "Mom", "my mother", "my father", "my brother", "my sister", "my friend")]
_ALL = [*PRONOUNS.values(), *_FEW, *_NEAREST, *_MINE]
_NOT_YOU = [who for who in _ALL if who is not YOU]
_OTHERS = [who for who in _ALL if who not in (ME, WE)]
_THIRD = [who for who in _OTHERS if who is not YOU]
_FAMILIAR = [PEOPLE[who] for who in ("my grandmother", "my friend", "Rahul", "Neha", "Priya")]
_FAMILIAR += [who for who in _MINE if who.en in ("my uncle", "my aunt")]
_CONSULTED = [PEOPLE["the doctor"], PEOPLE["the teacher"]]
_CONSULTED += [person(en, own, "s", mr, oblique) for en, own, mr, oblique in _rows(_CALLED_ON)]
_VISITED = [*_CONSULTED, *(who._replace(en_object=f"{who.en}'s") for who in _FAMILIAR)]


def _child(name):
    """Returns तू, said to somebody who is called by name."""
    return YOU._replace(agreement="2" + name.agreement[1:], nominative="तू", ergative="तू", dative="तुला")


# --- What is done, and to what --------------------------------------------------------------------------------------

_PHONE = _verb("call", "calls", "calling", "called", "called", "फोन", "कर", "केल")
_WASHING = ("धु", "धुवत", ("धुईन", "धुऊ", "धुवाल", "धुईल"), "धुवायच", "धुतल", ("धू", "धुवा"))
_WASH = Verb("wash", "washes", "washing", "washed", "washed", "", *_WASHING)
_TURN_OFF = _verb("turn off", "turns off", "turning off", "turned off", "turned off", "बंद", "कर", "केल")
_TURN_ON = _verb("turn on", "turns on", "turning on", "turned on", "turned on", "", "लाव", "लावल")
_WIPE = _verb("wipe", "wipes", "wiping", "wiped", "wiped", "", "पुस", "पुसल")
_COOK = _verb("cook", "cooks", "cooking", "cooked", "cooked", "", "कर", "केल")
_CUT = _verb("cut", "cuts", "cutting", "cut", "cut", "", "चिर", "चिरल")
_LIGHT = Noun("light", "lights", "m", "दिवा", "दिवे", "दिव्या")
_FAN = Noun("fan", "fans", "m", "पंखा", "पंखे", "पंख्या")
_TV = Noun("TV", "TVs", "m", "टीव्ही", "टीव्ही", "टीव्ही")
_DONE = [  # the verb, what it is done to, and the kind of noun
    (_WASH, Noun("dish", "dishes", "n", "भांडं", "भांडी", "भांड्या"), "the many"),
    (_WASH, Noun("garment", "clothes", "m", "कपडा", "कपडे", "कपड्या"), "the many"),
    (_WASH, NOUNS["car"], "the"),
    *((verb, noun, "the") for verb in (_TURN_OFF, _TURN_ON) for noun in (_LIGHT, _FAN, _TV)),
    (_WIPE, Noun("floor", "floors", "f", "फरशी", "फरश्या", "फरशी"), "the"),
    (_WIPE, NOUNS["table"], "the"),
    (_COOK, Noun("dinner", "", "m", "स्वयंपाक", "", "स्वयंपाका"), "bare"),
    (VERBS["clean"], Noun("kitchen", "kitchens", "n", "स्वयंपाकघर", "स्वयंपाकघरं", "स्वयंपाकघरा"), "the"),
    (_CUT, Noun("vegetables", "", "f", "भाजी", "", "भाजी"), "the"),
]
(_SALE,) = _rows("shirt sari cap bag umbrella watch bicycle notebook chair lamp phone camera toy")
_SOLD = [NOUNS[noun] for noun in _SALE]
_TOWNS = [place for place in lexicon.PLACES if place.kind == "town"]


def _acts(people, verbs=(None,), **choices):
    return [
        Scene(who=who, verb=verb, **dict(zip(choices, values, strict=True)))
        for who, verb, *values in itertools.product(people, verbs, *choices.values())
    ]


def _chores(people, **choices):
    return [s._replace(verb=v, noun=n, kind=k) for s in _acts(people, **choices) for v, n, k in _DONE]


def _called(scenes=None):
    """Returns scenes in which somebody is called by name."""
    return [s._replace(who=_child(name), whom=name) for s in scenes or [Scene()] for name in _NAMED]


def _role():
    for who in _IN_LAW:
        for noun in lexicon.PROFESSIONS[who.agreement[1]]:
            yield Scene(who=who, noun=noun)


def _named(people):
    for who, name in itertools.product(people, _NAMED):
        if who.agreement[1] == name.agreement[1] and who.agreement[2] == "s":
            yield Scene(who=who, whom=name)


_ADULTS = [who for who in _kin("my", "माझ", _CLOSE + _COUPLE + _IN_LAWS) if who.en[3:] not in ("son", "daughter")]
_CHILDREN = [HE, SHE, *_FEW, *(w for w in _MINE if w.en in ("my son", "my daughter", "my younger sister"))]
_MARRIED = ("Dad", "Mom", "my mother", "my father", "my wife", "my husband", "my uncle", "my aunt")
_LOVED = [who for who in (*_NEAREST, *_MINE) if who.en not in ("Dad", "Mom")]
SCENES = {
    "-": [Scene()],
    "me": _acts([ME]),
    "you": _acts([YOU]),
    "all": _acts(_ALL),
    "not-you": _acts(_NOT_YOU),
    "others": _acts(_OTHERS),
    "third": _acts(_THIRD),
    "single": _acts([who for who in _NOT_YOU if who not in (WE, THEY)]),
    "single-others": _acts([who for who in _OTHERS if who is not THEY]),
    "weds": _acts([w for w in _THIRD if w is not THEY and w.en not in _MARRIED]),
    "peers": _acts([HE, SHE, *_NAMED, *(w for w in _ADULTS if w.en.endswith(("wife", "husband", "in-law")))]),
    "called": _called(),
    "yours": _acts(_YOURS),
    "adults": _acts(_ADULTS),
    "children": _acts(_CHILDREN),
    "in-laws": _acts(_IN_LAW),
    "in-law-roles": list(_role()),
    "in-law-towns": _acts(_IN_LAW, [VERBS["live"], VERBS["work"]], place=_TOWNS),
    "in-law-moves": _acts(_IN_LAW, [VERBS["go"], VERBS["come"]], place=_TOWNS, time=lexicon.FUTURE_TIMES),
    "in-law-buys": _acts(_IN_LAW, [VERBS["buy"], VERBS["bring"]], noun=_SOLD),
    "in-law-likes": _acts(
        _IN_LAW, noun=[NOUNS[n] for n in ("tea", "coffee", "mango", "flower", "song")], kind=["many"]
    ),
    "named": list(_named(_kin("my", "माझ", _PARENTS + _CLOSE + _COUPLE + _IN_LAWS))),
    "my-whom": _acts([ME], whom=_IN_LAW + _MINE),
    "yours-whom": _acts([ME], whom=_YOURS),
    "visits": _acts(_NOT_YOU[:18], [VERBS["go"]], whom=_VISITED, time=lexicon.FUTURE_TIMES[:3]),
    "visited": _acts(_NOT_YOU[:18], [VERBS["go"]], whom=_VISITED, time=lexicon.PAST_TIMES[:3]),
    "visit": _acts([YOU], [VERBS["go"]], whom=_VISITED),
    "got": _acts([ME, HE, SHE, WE], whom=_FAMILIAR, noun=[NOUNS[n] for n in ("letter", "book", "key", "flower")]),
    "calls": _acts(_NOT_YOU, [_PHONE], whom=[*_CONSULTED, *_FAMILIAR, YOU], time=lexicon.FUTURE_TIMES[:3]),
    "called-up": _acts(_NOT_YOU, [_PHONE], whom=[*_CONSULTED, *_FAMILIAR], time=lexicon.PAST_TIMES[:3]),
    "goods": _acts([ME], noun=_SOLD, pointer=["this", "that"], kind=["bare"]),
    "goods-few": _acts([ME], noun=_SOLD[:4] + _SOLD[5:6] + _SOLD[10:11], pointer=["this", "that"], kind=["bare"]),
    "good": _acts([ME], noun=[*_SOLD, NOUNS["picture"]], kind=["bare"]),
    "good-better": _acts([ME], noun=_SOLD, word=["small", "big", "cheap"], kind=["bare"]),
    "travels": _acts(_ALL, [VERBS["go"]], place=[*lexicon.PLACES[:2], *_TOWNS]),
    "towns": _acts([HE], place=_TOWNS),
    "missed": _acts([ME], whom=[*_LOVED, *_FEW, YOU]),
    "helped": _acts([YOU], whom=[ME, WE, HE, SHE, *_FEW, *_MINE]),
    "have": _acts(
        [ME, WE, HE, SHE, THEY, *_NAMED], [VERBS["give"]._replace(future=("घेईन", "घेऊ", "घ्याल", "घेईल"), habitual="घे")]
    ),
    "eats": _acts(_NOT_YOU, [VERBS["eat"]]),
    "eats-others": _acts(_OTHERS, [VERBS["eat"]]),
    "speaks": _acts(_OTHERS, [VERBS["talk"]]),
    "comes": _acts(_NOT_YOU, [VERBS["come"]]),
    "chores-one": _chores([HE]),
    "chores": _chores(_NOT_YOU, time=lexicon.FUTURE_TIMES[:1]),
    "chores-you": _chores([YOU]),
    "chores-called": _called(_chores([YOU])),
    "chores-others": _chores(_OTHERS),
}

# --- Words ----------------------------------------------------------------------------------------------------------

TABLES = """
formal: sir = सर; madam = मॅडम; doctor = डॉक्टर
lady: madam = मॅडम; aunty = काकू; grandmother = आजी
elder: aunty = काकू; grandmother = आजी
dear: Mom = आई; Dad = बाबा; children = मुलांनो; friends = मित्रांनो; Rahul = राहुल; Neha = नेहा; Amit = अमित
greeting: good morning = सुप्रभात; good evening = शुभ संध्याकाळ; good night = शुभ रात्री
festival: Diwali = दिवाळीच्या; Holi = होळीच्या; Eid = ईदच्या; Dasara = दसऱ्याच्या; New/Y Year/Z = नवीन/Y वर्षाच्या/Z
day: Monday = सोमवार; Tuesday = मंगळवार; Wednesday = बुधवार; Thursday = गुरुवार; Friday = शुक्रवार; Saturday = शनिवार;\
 Sunday = रविवार
since: since Monday = सोमवारपासून; since Tuesday = मंगळवारपासून; since Friday = शुक्रवारपासून;\
 since Sunday = रविवारपासून; since yesterday = कालपासून
month: in January = जानेवारीमध्ये; in February = फेब्रुवारीमध्ये; in March = मार्चमध्ये; in April = एप्रिलमध्ये;\
 in May = मेमध्ये; in June = जूनमध्ये; in July = जुलैमध्ये; in August = ऑगस्टमध्ये; in September = सप्टेंबरमध्ये;\
 in October = ऑक्टोबरमध्ये; in November = नोव्हेंबरमध्ये; in December = डिसेंबरमध्ये
date: 15 August = १५ ऑगस्ट; 2 October = २ ऑक्टोबर; 26 January = २६ जानेवारी; 1 May = १ मे; 10 June = १० जून
year: 1972 = १९७२; 1980 = १९८०; 1987 = १९८७; 1995 = १९९५
hour: five o'clock = पाच वाजले; six o'clock = सहा वाजले; seven o'clock = सात वाजले; nine o'clock = नऊ वाजले;\
 half past eight = साडेआठ वाजले; half past nine = साडेनऊ वाजले
clock: five = पाच; seven = सात; nine = नऊ; ten = दहा; half past eight = साडेआठ; half past nine = साडेनऊ;\
 9/c1 pm/c2 = रात्री/c2 ९/c1; 7/c1 am/c2 = सकाळी/c2 ७/c1; 5/c1 pm/c2 = संध्याकाळी/c2 ५/c1
morning: seven = सात; nine = नऊ; ten = दहा; half past eight = साडेआठ; half past nine = साडेनऊ;\
 7/c1 am/c2 = सकाळी/c2 ७/c1
evening: five = पाच; seven = सात; nine = नऊ; 9/c1 pm/c2 = रात्री/c2 ९/c1; 5/c1 pm/c2 = संध्याकाळी/c2 ५/c1
then: tomorrow = उद्या; in the evening = संध्याकाळी; later = नंतर; on Monday = सोमवारी; on Sunday = रविवारी
young: two = दोन; three = तीन; five = पाच; seven = सात; ten = दहा; twelve = बारा; 8 = ८; 15 = १५
old: thirty = तीस; forty = चाळीस; fifty = पन्नास; sixty = साठ; 35 = ३५; 45 = ४५
some: two = दोन; three = तीन; five = पाच; ten = दहा
price: 450 = ४५०; 500 = ५००; 250 = २५०; 1200 = १२००; 800 = ८००; 100 = १००
veg: potatoes = बटाटे; onions = कांदे; tomatoes = टोमॅटो; apples = सफरचंदं; mangoes = आंबे
grain: sugar = साखर; rice = तांदूळ; flour = पीठ
kilo: one kilo = एक किलो; two kilos = दोन किलो; five kilos = पाच किलो; half a kilo = अर्धा किलो
sight: the station = स्टेशन; the bus/b stop/s = बसस्टॉप/b+s; the bank = बँक; the hospital = हॉस्पिटल;\
 the temple = देऊळ; the market = बाजार; the school = शाळा; the shop = दुकान; the post/p office/o = पोस्ट/p ऑफिस/o;\
 the library = वाचनालय
at-sight: at the temple = देवळापाशी; at the bank = बँकेपाशी; at the station = स्टेशनपाशी; at the school = शाळेपाशी;\
 at the shop = दुकानापाशी; at the market = बाजारापाशी
near-sight: near the temple = देवळाजवळ; near the bank = बँकेजवळ; near the station = स्टेशनजवळ;\
 near the school = शाळेजवळ
side: left = डावीकडे; right = उजवीकडे
side-on: on the left = डावीकडे; on the right = उजवीकडे
closed: the school = शाळा; the bank = बँक; the shop = दुकान; the library = वाचनालय; the temple = देऊळ;\
 the office = ऑफिस
today: today = आज; on Sunday = रविवारी; on Monday = सोमवारी; tomorrow = उद्या
vehicle-by: by bus = बसने; by train = ट्रेनने; by car = गाडीने
vehicle: train = ट्रेन; bus = बस
vehicle-to: the train = ट्रेनला; the bus = बसला
body-n: head = डोकं; stomach = पोट
body-m: hand = हात; leg = पाय; tooth = दात; throat = घसा
body-f: back = पाठ
illness: a fever = ताप आला; a cold = सर्दी झाली; a cough = खोकला झाला
dose: this medicine = हे औषध; this tablet = ही गोळी; these tablets = या गोळ्या
dose-time: once/o a/d day/d = दिवसातून/d एकदा/o; twice/o a/d day/d = दिवसातून/d दोनदा/o; at night = रात्री;\
 three/o times/o a/d day/d = दिवसातून/d तीनदा/o; after meals = जेवणानंतर; before meals = जेवणापूर्वी;\
 in the morning = सकाळी
class: in the fifth class = पाचवीत; in the seventh class = सातवीत; in the eighth class = आठवीत;\
 in the tenth class = दहावीत
told: sit/o down/o = खाली/o बसा/o; stand/o up/o = उभे/o राहा/o; open/o your/y books/b = तुमची/y पुस्तकं/b उघडा/o;\
 listen/o carefully/y = नीट/y ऐका/o; write/o the answer/y = उत्तर/y लिहा/o
rise: sit/o down/o = खाली/o बसा/o; stand/o up/o = उभे/o राहा/o; listen/o carefully/y = नीट/y ऐका/o
told-child: sit/o down/o = खाली/o बस/o; open/o your/y book/b = तुझं/y पुस्तक/b उघड/o;\
 listen/o carefully/y = नीट/y ऐक/o; write/o the answer/y = उत्तर/y लिही/o;\
 do/o your/y homework/b = तुझा/y गृहपाठ/b कर/o
dish: the food = जेवण; the soup = सूप; the dal = डाळ
taste: spicy = तिखट; hot = गरम; cold = थंड
drink: the tea = चहा; the coffee = कॉफी; the milk = दूध
warm: sweet = गोड; hot = गरम; cold = थंड
cup: a/a cup/k of/k tea = एक/a कप/k चहा; a/a cup/k of/k coffee = एक/a कप/k कॉफी;\
 a/a glass/k of/k water = एक/a ग्लास/k पाणी; a/a glass/k of/k milk = एक/a ग्लास/k दूध;\
 a/a plate/k of/k rice = एक/a प्लेट/k भात; a/a plate/k of/k samosas = एक/a प्लेट/k समोसे
diet: meat = मांस; fish = मासे; eggs = अंडी; onions = कांदे
need: hungry = भूक; thirsty = तहान
sky: blue = निळं; cloudy = ढगाळ; clear = स्वच्छ; black = काळं; red = लाल
mood: happy = आनंदी; sad = दुःखी; busy = व्यस्त; worried = चिंतेत
fear: of dogs = कुत्र्यांची; of snakes = सापांची; of the dark = अंधाराची; of water = पाण्याची; of exams = परीक्षांची;\
 of horses = घोड्यांची
lang: Marathi = मराठी; Hindi = हिंदी; English = इंग्रजी; Gujarati = गुजराती
lang-in: in Marathi = मराठीत; in Hindi = हिंदीत; in English = इंग्रजीत
lang-said: in Marathi = मराठीत; in Hindi = हिंदीत; in Gujarati = गुजरातीत
speak: slowly = हळू; loudly = मोठ्याने; clearly = स्पष्ट
thing-to: water = पाण्याला; a book = पुस्तकाला; a flower = फुलाला; a house = घराला; a tree = झाडाला; milk = दुधाला
word-to: water = पाण्याला; book = पुस्तकाला; flower = फुलाला; house = घराला; tree = झाडाला; milk = दुधाला
opens: the shop/s opens/o = दुकान/s <morning> वाजता/T उघडतं/o; the bank/s opens/o = बँक/s <morning> वाजता/T उघडते/o;\
 the market/s opens/o = बाजार/s <morning> वाजता/T उघडतो/o; the temple/s opens/o = देऊळ/s <morning> वाजता/T उघडतं/o;\
 the library/s opens/o = वाचनालय/s <morning> वाजता/T उघडतं/o;\
 the school/s starts/o = शाळा/s <morning> वाजता/T सुरू/o होते/o;\
 the film/s starts/o = चित्रपट/s <morning> वाजता/T सुरू/o होतो/o;\
 the class/s starts/o = वर्ग/s <morning> वाजता/T सुरू/o होतो/o
closes: the shop/s closes/o = दुकान/s <evening> वाजता/T बंद/o होतं/o;\
 the bank/s closes/o = बँक/s <evening> वाजता/T बंद/o होते/o;\
 the market/s closes/o = बाजार/s <evening> वाजता/T बंद/o होतो/o;\
 the library/s closes/o = वाचनालय/s <evening> वाजता/T बंद/o होतं/o
open: the shop/s open/o = दुकान/s किती/W वाजता/W उघडतं/o; the bank/s open/o = बँक/s किती/W वाजता/W उघडते/o;\
 the market/s open/o = बाजार/s किती/W वाजता/W उघडतो/o; the library/s open/o = वाचनालय/s किती/W वाजता/W उघडतं/o;\
 the shop/s close/o = दुकान/s किती/W वाजता/W बंद/o होतं/o; the bank/s close/o = बँक/s किती/W वाजता/W बंद/o होते/o
owner: my = माझा; his = त्याचा; her = तिचा; our = आमचा; your = तुमचा
number: 9822012345 = ९८२२०१२३४५; 9850067890 = ९८५००६७८९०
"""
