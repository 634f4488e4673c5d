"""The phrasebook's words: tables of nouns, verbs, adjectives, people, places and times, English and Marathi.

A dash in a table means "has none". An underscore joins what is one entry: `listen_to` is a verb of two words.
Register: everyday standard Marathi, neuter singular with anusvara throughout (`माझं घर`, `वाचलं`, `आवडतं`).
"""

from typing import NamedTuple


class Noun(NamedTuple):
    """A noun: gender m, f or n; direct singular and plural; the oblique that postpositions are added to."""

    en: str
    en_plural: str
    gender: str
    mr: str
    mr_plural: str
    oblique: str


class Verb(NamedTuple):
    """A verb: the English forms, then the Marathi stems and forms that `phrasebook` adds endings to."""

    en: str
    en_s: str
    en_ing: str
    en_past: str
    en_participle: str
    prefix: str  # विकत in विकत घेणे, else empty
    habitual: str  # खा-तो, खा-णार, खा-शील, खा-तील
    participle: str  # खात
    future: tuple  # first person singular, first plural, second plural, third singular
    wish: str  # खायच-ं
    past: str  # खाल्ल-ं
    imperative: tuple  # singular, plural


class Adjective(NamedTuple):
    """An adjective: one that inflects is written without its ending, as a stem (चांगल-)."""

    en: str
    mr: str
    inflects: bool


class Person(NamedTuple):
    """Who acts: agreement such as `3fs` (person, gender, number), English number (`I`, s, p), Marathi cases."""

    en: str
    en_object: str
    agreement: str
    en_number: str
    nominative: str
    ergative: str
    dative: str
    oblique: str


class Place(NamedTuple):
    """Where to, where and where from, in both languages; `kind` is town or place."""

    kind: str
    to: tuple
    at: tuple
    source: tuple


def _rows(table):
    """Returns the cells of a table's lines; underscores become spaces and a dash an empty cell."""
    cells = (line.split() for line in table.strip().splitlines())
    return [["" if cell == "-" else cell.replace("_", " ") for cell in row] for row in cells]


NOUNS = {
    row[0]: Noun(*row)
    for row in _rows("""
mango mangoes m आंबा आंबे आंब्या
banana bananas n केळं केळी केळ्या
apple apples n सफरचंद सफरचंदं सफरचंदा
orange oranges n संत्रं संत्री संत्र्या
guava guavas m पेरू पेरू -
egg eggs n अंडं अंडी अंड्या
samosa samosas m समोसा समोसे समोशा
laddu laddus m लाडू लाडू -
chapati chapatis f पोळी पोळ्या पोळी
biscuit biscuits n बिस्कीट बिस्किटं बिस्किटा
rice - m भात - भाता
tea - m चहा - चहा
coffee - f कॉफी - कॉफी
milk - n दूध - दुधा
water - n पाणी - पाण्या
juice - m रस - रसा
buttermilk - n ताक - ताका
lassi - f लस्सी - लस्सी
grass - n गवत - गवता
book books n पुस्तक पुस्तकं पुस्तका
letter letters n पत्र पत्रं पत्रा
story stories f गोष्ट गोष्टी गोष्टी
poem poems f कविता कविता कविते
newspaper newspapers n वर्तमानपत्र वर्तमानपत्रं वर्तमानपत्रा
novel novels f कादंबरी कादंबऱ्या कादंबरी
magazine magazines n मासिक मासिकं मासिका
essay essays m निबंध निबंध निबंधा
song songs n गाणं गाणी गाण्या
film films m चित्रपट चित्रपट चित्रपटा
play plays n नाटक नाटकं नाटका
match matches m सामना सामने सामन्या
picture pictures n चित्र चित्रं चित्रा
shirt shirts m शर्ट शर्ट -
sari saris f साडी साड्या साडी
cap caps f टोपी टोप्या टोपी
bag bags f पिशवी पिशव्या पिशवी
umbrella umbrellas f छत्री छत्र्या छत्री
watch watches n घड्याळ घड्याळं घड्याळा
flower flowers n फूल फुलं फुला
bicycle bicycles f सायकल सायकली सायकली
car cars f गाडी गाड्या गाडी
notebook notebooks f वही वह्या वही
chair chairs f खुर्ची खुर्च्या खुर्ची
table tables n टेबल टेबलं टेबला
lamp lamps m दिवा दिवे दिव्या
mirror mirrors m आरसा आरसे आरशा
doll dolls f बाहुली बाहुल्या बाहुली
toy toys n खेळणं खेळणी खेळण्या
phone phones m फोन फोन -
camera cameras m कॅमेरा कॅमेरे कॅमेऱ्या
name names n नाव नावं नावा
address addresses m पत्ता पत्ते पत्त्या
door doors n दार दारं दारा
window windows f खिडकी खिडक्या खिडकी
box boxes m डबा डबे डब्या
cupboard cupboards n कपाट कपाटं कपाटा
key keys f किल्ली किल्ल्या किल्ली
house houses n घर घरं घरा
room rooms f खोली खोल्या खोली
garden gardens f बाग बागा बागे
school schools f शाळा शाळा शाळे
village villages n गाव गावं गावा
tree trees n झाड झाडं झाडा
boy boys m मुलगा मुलगे मुला
girl girls f मुलगी मुली मुली
brother brothers m भाऊ भाऊ भावा
sister sisters f बहीण बहिणी बहिणी
dog dogs m कुत्रा कुत्रे कुत्र्या
cat cats n मांजर मांजरं मांजरा
cow cows f गाय गाई गाई
horse horses m घोडा घोडे घोड्या
""")
}

# English base, -s, -ing, past, participle; prefix; Marathi stem; past stem if not stem + ल.
_REGULAR = """
read reads reading read read - वाच वाचल
watch watches watching watched watched - बघ बघितल
see sees seeing saw seen - बघ बघितल
buy buys buying bought bought विकत घे घेतल
sell sells selling sold sold - विक विकल
bring brings bringing brought brought - आण आणल
make makes making made made - बनव बनवल
clean cleans cleaning cleaned cleaned साफ कर केल
open opens opening opened opened - उघड उघडल
close closes closing closed closed बंद कर केल
repair repairs repairing repaired repaired दुरुस्त कर केल
look_for looks_for looking_for looked_for looked_for - शोध शोधल
listen_to listens_to listening_to listened_to listened_to - ऐक ऐकल
sing sings singing sang sung - गा गायल
send sends sending sent sent - पाठव पाठवल
show shows showing showed shown - दाखव दाखवल
put puts putting put put - ठेव ठेवल
cut cuts cutting cut cut - काप कापल
call calls calling called called - बोलाव बोलावल
talk talks talking talked talked - बोल बोलल
play plays playing played played - खेळ खेळल
dance dances dancing danced danced - नाच नाचल
run runs running ran run - धाव धावल
swim swims swimming swam swum - पोह पोहल
wait waits waiting waited waited - थांब थांबल
sit sits sitting sat sat - बस बसल
sleep sleeps sleeping slept slept - झोप झोपल
help helps helping helped helped मदत कर केल
enjoy enjoys enjoying enjoyed enjoyed - आवड आवडल
can - - - - - शक शकल
laugh laughs laughing laughed laughed - हस हसल
cry cries crying cried cried - रड रडल
work works working worked worked काम कर केल
study studies studying studied studied अभ्यास कर केल
eat eats eating ate eaten - खा खाल्ल
drink drinks drinking drank drunk - पी प्यायल
write writes writing wrote written - लिही लिहिल
give gives giving gave given - दे दिल
go goes going went gone - जा गेल
come comes coming came come - ये आल
live lives living lived lived - राह राहिल
"""

# Stems that end in a vowel or ह: habitual, participle, future (I, we, you, she), wish, imperative (singular, plural).
_IRREGULAR = {
    row[0]: row[1:]
    for row in _rows("""
खा खा खात खाईन खाऊ खाल खाईल खायच खा खा
पी पि पीत पिईन पिऊ प्याल पिईल प्यायच पी प्या
लिही लिहि लिहीत लिहीन लिहू लिहाल लिहील लिहायच लिही लिहा
घे घे घेत घेईन घेऊ घ्याल घेईल घ्यायच घे घ्या
दे दे देत देईन देऊ द्याल देईल द्यायच दे द्या
जा जा जात जाईन जाऊ जाल जाईल जायच जा जा
ये ये येत येईन येऊ याल येईल यायच ये या
गा गा गात गाईन गाऊ गाल गाईल गायच गा गा
राह राह राहत राहीन राहू राहाल राहील राहायच राहा राहा
पोह पोह पोहत पोहीन पोहू पोहाल पोहील पोहायच पोह पोहा
""")
}


def _verb(*cells):
    """Returns the `Verb` of a table line: a consonant stem such as वाच takes वाचेन, वाचू, वाचाल, वाचेल, वाचायच-."""
    stem, past = cells[6:]
    if stem in _IRREGULAR:
        habitual, participle, *future, wish, singular, plural = _IRREGULAR[stem]
    else:
        habitual, participle, wish, singular, plural = stem, stem + "त", stem + "ायच", stem, stem + "ा"
        future = [stem + ending for ending in ("ेन", "ू", "ाल", "ेल")]
    return Verb(*cells[:6], habitual, participle, tuple(future), wish, past, (singular, plural))


VERBS = {row[0]: _verb(*row) for row in _rows(_REGULAR)}

# What each verb may take as its object, so that nobody drinks a book.
OBJECTS = {
    verb.replace("_", " "): nouns.split()
    for verb, nouns in {
        "eat": "mango banana apple orange guava egg samosa laddu chapati biscuit rice",
        "drink": "tea coffee milk water juice buttermilk lassi",
        "read": "book letter story poem newspaper novel magazine",
        "write": "letter story poem essay",
        "watch": "film play match",
        "buy": "shirt sari cap bag umbrella watch bicycle notebook chair lamp mirror doll toy phone camera",
        "sell": "car bicycle table chair watch camera",
        "bring": "bag umbrella notebook lamp chair camera tea milk water book key",
        "make": "tea coffee juice chapati laddu samosa",
        "clean": "room house car table window bicycle",
        "open": "door window box cupboard bag",
        "close": "door window box cupboard",
        "repair": "bicycle watch chair car phone lamp camera",
        "look_for": "key book letter watch umbrella bag notebook",
        "listen_to": "song story",
        "cut": "apple mango guava orange",
        "send": "letter book picture flower",
        "enjoy": "flower book story song poem film dog cat",  # said only with "like"
    }.items()
}
HABITS = ["eat", "drink", "read", "write", "watch"]  # what one does again and again, to things in general
CHILDLIKE = ["eat", "drink", "read", "write", "bring", "open", "close", "listen to", "look for", "clean"]
FAMILIAR = ["eat", "read", "open"]  # verbs shown in the past with तू and तुम्ही
# Where each action is at home, by the name of the place after its article.
ACTION_PLACES = {
    "play": "garden field school village home",
    "dance": "garden school village home",
    "run": "garden field station school",
    "swim": "river",
    "laugh": "market garden school shop village home",
    "cry": "market garden school station village home",
    "study": "library school garden home",
    "work": "market library shop field bank station village school home",
}
COUNTED = {"eat": "two three four", "read": "two three", "write": "two three", "watch": "two three"}
COUNTED |= dict.fromkeys(("buy", "sell", "make"), "two three four five six seven eight ten")
POSSESSIONS = (
    "brother sister",
    "book bag umbrella bicycle car phone watch notebook camera picture shirt key cap box letter",
    "dog cat cow",
)
KNOWN = ["name", "address", "house", "school", "village"]  # what one knows of somebody
SKILLS = ["swim", "dance", "sing", "read", "write"]
MEALS = {"dog": "milk water", "cat": "milk water", "cow": "grass water", "horse": "grass water"}
(GIFTS,) = _rows("book letter picture flower watch doll toy notebook umbrella mango laddu camera")

ADJECTIVES = {
    row[0]: Adjective(row[0], row[1], row[2] == "y")
    for row in _rows("""
good चांगल y
big मोठ y
small छोट y
old जुन y
black काळ y
white पांढर y
green हिरव y
blue निळ y
yellow पिवळ y
fresh ताज y
new नवीन n
red लाल n
beautiful सुंदर n
cheap स्वस्त n
expensive महाग n
sweet गोड n
hot गरम n
cold थंड n
clean स्वच्छ n
tall उंच n
clever हुशार n
honest प्रामाणिक n
rich श्रीमंत n
happy आनंदी n
ill आजारी n
hardworking मेहनती n
""")
}
# Which adjectives suit which nouns.
QUALITIES = [
    (nouns.split(), adjectives.split())
    for nouns, adjectives in (
        ("mango banana apple orange guava", "good big small fresh sweet cheap expensive"),
        ("tea coffee milk water", "hot cold"),
        ("juice lassi", "cold sweet fresh"),
        ("shirt sari cap bag umbrella notebook", "new old red black white green blue yellow beautiful cheap expensive"),
        ("watch bicycle car phone camera", "new old good black expensive cheap"),
        ("chair table lamp mirror box cupboard", "new old big small beautiful"),
        ("book story poem song film play picture", "good new old beautiful"),
        ("name", "beautiful good"),
        ("flower", "red white yellow blue beautiful"),
        ("house room garden school village", "big small old beautiful clean"),
        ("door window", "big small old green white"),
        ("dog cat horse", "black white big small"),
    )
]
TRAITS = ["tall", "clever", "honest", "rich", "happy", "ill", "hardworking"]
TRAITS_BEFORE_NOUN = [trait for trait in TRAITS if trait != "ill"]  # a child is ill, but not an ill child
COMPARATIVES = {"tall": "taller", "clever": "cleverer", "rich": "richer", "happy": "happier", "honest": "more honest"}

_NAMES = """
Rahul राहुल m
Amit अमित m
Rohan रोहन m
Vijay विजय m
Tom टॉम m
Neha नेहा f
Priya प्रिया f
Swati स्वाती f
Gauri गौरी f
Mary मेरी f
"""
_PRONOUNS = """
I me 1ms I मी मी मला माझ्या
we us 1mp p आम्ही आम्ही आम्हाला आमच्या
you you 2mp p तुम्ही तुम्ही तुम्हाला तुमच्या
he him 3ms s तो त्याने त्याला त्याच्या
she her 3fs s ती तिने तिला तिच्या
they them 3mp p ते त्यांनी त्यांना त्यांच्या
"""
# Those spoken of with respect have plural agreement in Marathi: माझे वडील आले.
_NOUN_PEOPLE = """
Dad 3mp s बाबा बाबां
Mom 3fs s आई आई
my_mother 3fs s माझी_आई माझ्या_आई
my_grandmother 3fs s माझी_आजी माझ्या_आजी
my_father 3mp s माझे_वडील माझ्या_वडिलां
my_grandfather 3mp s माझे_आजोबा माझ्या_आजोबां
my_brother 3ms s माझा_भाऊ माझ्या_भावा
my_sister 3fs s माझी_बहीण माझ्या_बहिणी
my_friend 3ms s माझा_मित्र माझ्या_मित्रा
my_friends 3mp p माझे_मित्र माझ्या_मित्रां
her_sister 3fs s तिची_बहीण तिच्या_बहिणी
the_boy 3ms s मुलगा मुला
the_girl 3fs s मुलगी मुली
the_girls 3fp p मुली मुलीं
the_child 3ns s मूल मुला
the_children 3np p मुलं मुलां
the_women 3fp p स्त्रिया स्त्रियां
the_farmer 3ms s शेतकरी शेतकऱ्या
the_teacher 3mp s शिक्षक शिक्षकां
the_doctor 3mp s डॉक्टर डॉक्टरां
the_student 3ms s विद्यार्थी विद्यार्थ्या
"""


def person(en, agreement, number, nominative, oblique):
    """Returns the `Person` of a noun or a name: मुला- gives मुलाने and मुलाला, मुलां- gives मुलांनी and मुलांना."""
    many = agreement.endswith("p")
    cases = (oblique + ("नी" if many else "ने"), oblique + ("ना" if many else "ला"))
    return Person(en, en, agreement, number, nominative, *cases, oblique)


PRONOUNS = {row[0]: Person(*row) for row in _rows(_PRONOUNS)}
NAMES = {en: person(en, f"3{gender}s", "s", mr, mr) for en, mr, gender in _rows(_NAMES)}
NOUN_PEOPLE = {row[0]: person(*row) for row in _rows(_NOUN_PEOPLE)}
PEOPLE = {**PRONOUNS, **NAMES, **NOUN_PEOPLE}
# What nobody is said to do here, by name.
UNSUITED = {
    who: verbs.split()
    for people, verbs in (
        ("the_child the_children", "buy sell repair make cut clean send live work"),
        ("the_boy the_girl the_girls", "sell repair work"),
        ("my_grandmother my_grandfather", "play run dance study"),
        ("the_farmer the_doctor the_teacher", "play dance study"),
    )
    for (who,) in _rows(people.replace(" ", "\n"))
}
WOMAN_SPEAKING = PRONOUNS["I"]._replace(agreement="1fs")

PLACES = [
    Place(row[0], *((en, mr) for en, mr in zip(row[1::2], row[2::2], strict=True)))
    for row in _rows("""
place to_the_market बाजारात in_the_market बाजारात from_the_market बाजारातून
place to_school शाळेत at_school शाळेत from_school शाळेतून
place to_the_garden बागेत in_the_garden बागेत from_the_garden बागेतून
place to_the_temple देवळात in_the_temple देवळात from_the_temple देवळातून
place to_the_library वाचनालयात in_the_library वाचनालयात from_the_library वाचनालयातून
place to_the_shop दुकानात in_the_shop दुकानात from_the_shop दुकानातून
place to_the_field शेतात in_the_field शेतात from_the_field शेतातून
place to_the_river नदीवर in_the_river नदीत from_the_river नदीवरून
place to_the_bank बँकेत in_the_bank बँकेत from_the_bank बँकेतून
place to_the_station स्टेशनवर at_the_station स्टेशनवर from_the_station स्टेशनवरून
place to_the_village गावाला in_the_village गावात from_the_village गावाहून
town to_Pune पुण्याला in_Pune पुण्यात from_Pune पुण्याहून
town to_Mumbai मुंबईला in_Mumbai मुंबईत from_Mumbai मुंबईहून
town to_Nagpur नागपूरला in_Nagpur नागपुरात from_Nagpur नागपूरहून
town to_Kolhapur कोल्हापूरला in_Kolhapur कोल्हापुरात from_Kolhapur कोल्हापूरहून
town to_Satara साताऱ्याला in_Satara साताऱ्यात from_Satara साताऱ्याहून
town to_Delhi दिल्लीला in_Delhi दिल्लीत from_Delhi दिल्लीहून
town to_Thane ठाण्याला in_Thane ठाण्यात from_Thane ठाण्याहून
town to_Goa गोव्याला in_Goa गोव्यात from_Goa गोव्याहून
""")
]
HOME = Place("home", ("home", "घरी"), ("at home", "घरी"), ("from home", "घरून"))
SPOTS = [  # preposition, noun, postposition
    (*row,)
    for row in _rows("""
on table वर
under table खाली
on chair वर
under chair खाली
in cupboard त
in box त
in bag त
in room त
near window जवळ
near door जवळ
under tree खाली
in_front_of house समोर
""")
]
(SMALL_THINGS,) = _rows("book key letter umbrella bag doll notebook toy watch phone shirt cap camera")

NUMBERS = dict(_rows("two दोन\nthree तीन\nfour चार\nfive पाच\nsix सहा\nseven सात\neight आठ\nten दहा"))
POSSESSIVES = dict(
    _rows("""
my माझ
our आमच
your तुमच
his त्याच
her तिच
their त्यांच
Rahul's राहुलच
Neha's नेहाच
Amit's अमितच
Swati's स्वातीच
""")
)
PAST_TIMES = _rows("yesterday काल\ntoday आज\nlast_week गेल्या_आठवड्यात\non_Sunday रविवारी\nlast_year गेल्या_वर्षी")
FUTURE_TIMES = _rows("tomorrow उद्या\ntoday आज\nnext_week पुढच्या_आठवड्यात\non_Monday सोमवारी\nnext_year पुढच्या_वर्षी")
HABIT_TIMES = _rows("every_day रोज\nin_the_morning सकाळी\nin_the_evening संध्याकाळी\nat_night रात्री")
PROFESSIONS = {
    "m": _rows("doctor डॉक्टर\nteacher शिक्षक\nfarmer शेतकरी\nlawyer वकील\nsinger गायक\nwriter लेखक"),
    "f": _rows("doctor डॉक्टर\nteacher शिक्षिका\nlawyer वकील\nsinger गायिका\nwriter लेखिका"),
}
