"""The tables and templates of `grammar_frames`, which explains how to read them."""

import re

# Entries: English: Marathi, oblique form, gender and number. Verbs and adjectives are in the forms that are inflected.
TABLES = {
    "moved": """ran: धावलो; laughed: हसलो; cried: रडलो; fell asleep: झोपी गेलो; sat down: खाली बसलो;
        fell down: खाली पडलो; came back: परत आलो; went out: बाहेर गेलो; stood up: उभा~ राहिलो; got tired: थकलो;
        got angry: चिडलो; danced: नाचलो""",
    "move": """run: धावलो; laugh: हसलो; cry: रडलो; fall asleep: झोपी गेलो; sit down: खाली बसलो; come back: परत आलो;
        go out: बाहेर गेलो; stand up: उभा~ राहिलो; stop: थांबलो; get tired: थकलो; get angry: चिडलो; dance: नाचलो""",
    "when": """yesterday: काल; last night: काल रात्री; in the morning: सकाळी; in the evening: संध्याकाळी;
        on Sunday: रविवारी""",
    "soon": "tomorrow: उद्या; next week: पुढच्या आठवड्यात; on Monday: सोमवारी; tonight: आज रात्री",
    "often": "every day: रोज; every morning: रोज सकाळी; every evening: रोज संध्याकाळी; every Sunday: दर रविवारी",
    "beast": """the cow: गाय, गाई, fs; the dog: कुत्रा, कुत्र्या, ms; the cat: मांजर, मांजरा, ns;
        the horse: घोडा, घोड्या, ms; the monkey: माकड, माकडा, ns; the goat: शेळी, शेळी, fs;
        the dogs: कुत्रे, कुत्र्यां, mp; the cows: गाई, गाईं, fp; the monkeys: माकडं, माकडां, np""",
    "bird": """the bird: पक्षी, पक्ष्या, ms; the birds: पक्षी, पक्ष्यां, mp; the crow: कावळा, कावळ्या, ms;
        the hen: कोंबडी, कोंबडी, fs; the parrot: पोपट, पोपटा, ms; the crows: कावळे, कावळ्यां, mp;
        the hens: कोंबड्या, कोंबड्यां, fp""",
    "kin": """brother: भाऊ, भावा, ms; sister: बहीण, बहिणी, fs; son: मुलगा, मुला, ms; daughter: मुलगी, मुली, fs;
        mother: आई, आई, fs; father: वडील, वडिलां, mR; grandfather: आजोबा, आजोबां, mR; friend: मित्र, मित्रा, ms""",
    "food": """an apple: सफरचंद, सफरचंदा, ns; a mango: आंबा, आंब्या, ms; a banana: केळं, केळ्या, ns;
        two mangoes: दोन आंबे, , mp; a chapati: पोळी, पोळी, fs; a guava: पेरू, पेरू, ms;
        two chapatis: दोन पोळ्या, , fp; some rice: थोडा भात, , ms""",
    "thing": """car: गाडी, गाडी, fs; house: घर, घरा, ns; bicycle: सायकल, सायकली, fs; phone: फोन, फोन, ms;
        room: खोली, खोली, fs; bag: पिशवी, पिशवी, fs; watch: घड्याळ, घड्याळा, ns; garden: बाग, बागे, fs;
        shop: दुकान, दुकाना, ns; camera: कॅमेरा, कॅमेऱ्या, ms""",
    "small": """book: पुस्तक, पुस्तका, ns; key: किल्ली, किल्ली, fs; umbrella: छत्री, छत्री, fs;
        shirt: शर्ट, शर्टा, ms; notebook: वही, वही, fs; watch: घड्याळ, घड्याळा, ns; pen: पेन, पेना, ns""",
    "like": """old: जुना; new: नवीन; big: मोठा; small: छोटा; good: चांगला; beautiful: सुंदर; expensive: महाग;
        cheap: स्वस्त""",
    "more": "older: जुना; bigger: मोठा; smaller: छोटा; better: चांगला; cheaper: स्वस्त; newer: नवीन",
    "mine": "mine: माझ्या; yours: तुमच्या; his: त्याच्या; hers: तिच्या; ours: आमच्या; theirs: त्यांच्या",
    "part": """door: दार, दारा, ns; window: खिडकी, खिडकी, fs; roof: छप्पर, छपरा, ns; wall: भिंत, भिंती, fs;
        walls: भिंती, भिंतीं, fp; windows: खिडक्या, खिडक्यां, fp; doors: दारं, दारां, np""",
    "building": """house: घर, घरा, ns; school: शाळा, शाळे, fs; shop: दुकान, दुकाना, ns; temple: देऊळ, देवळा, ns;
        library: वाचनालय, वाचनालया, ns""",
    "painted": "white: पांढरा; green: हिरवा; blue: निळा; big: मोठा; old: जुना; beautiful: सुंदर",
    "city": """Mumbai: मुंबई, मुंबई, fs; Pune: पुणे, पुण्या, ns; Delhi: दिल्ली, दिल्ली, fs;
        Nagpur: नागपूर, नागपूर, ns; Kolhapur: कोल्हापूर, कोल्हापूर, ns; Satara: सातारा, साताऱ्या, ms;
        Thane: ठाणे, ठाण्या, ns; Nashik: नाशिक, नाशिक, ns; Solapur: सोलापूर, सोलापूर, ns;
        Hyderabad: हैदराबाद, हैदराबाद, ns""",
    "metro": "Mumbai: मुंबई, मुंबई, fs; Delhi: दिल्ली, दिल्ली, fs; Hyderabad: हैदराबाद, हैदराबाद, ns; Pune: पुणे, पुण्या, ns",
    "town": """Kolhapur: कोल्हापूर, कोल्हापूर, ns; Satara: सातारा, साताऱ्या, ms; Nashik: नाशिक, नाशिक, ns;
        Solapur: सोलापूर, सोलापूर, ns; Thane: ठाणे, ठाण्या, ns""",
    "townlike": "big: मोठं; small: छोटं; old: जुनं; beautiful: सुंदर; clean: स्वच्छ; famous: प्रसिद्ध; good: चांगलं",
    "citymost": "cleanest: स्वच्छ; best: चांगलं; nicest: छान",
    "townmore": "bigger: मोठा; smaller: छोटा; older: जुना; cleaner: स्वच्छ",
    "most": """tallest: उंच; cleverest: हुशार; best: चांगला; youngest: लहान; oldest: मोठा; richest: श्रीमंत;
        laziest: आळशी""",
    "group": "in the class: वर्गातला; in our school: आमच्या शाळेतला; in the village: गावातला",
    "tongue": """Marathi: मराठी, मराठी, fs; Hindi: हिंदी, हिंदी, fs; Gujarati: गुजराती, गुजराती, fs;
        Tamil: तमिळ, तमिळ, fs; Urdu: उर्दू, उर्दू, fs; Kannada: कन्नड, कन्नड, fs; Bengali: बंगाली, बंगाली, fs;
        Punjabi: पंजाबी, पंजाबी, fs; English: इंग्रजी, इंग्रजी, fs; French: फ्रेंच, फ्रेंच, fs;
        German: जर्मन, जर्मन, fs""",
    "tonguelike": "easy: सोपी; difficult: अवघड; beautiful: सुंदर; old: जुनी",
    "worker": """a doctor: डॉक्टर, डॉक्टरां, mR; a teacher: शिक्षक, शिक्षकां, mR; a farmer: शेतकरी, शेतकऱ्या, ms;
        a lawyer: वकील, वकिला, ms; a singer: गायक, गायका, ms; a driver: ड्रायव्हर, ड्रायव्हर, ms""",
    "great": """my grandfather: माझे आजोबा, माझ्या आजोबां, mR; my father: माझे वडील, माझ्या वडिलां, mR;
        her uncle: तिचे काका, तिच्या काकां, mR; our teacher: आमचे शिक्षक, आमच्या शिक्षकां, mR""",
    "icon": """Gandhi: गांधी, गांधीं, mR; Nehru: नेहरू, नेहरूं, mR; Ambedkar: आंबेडकर, आंबेडकरां, mR;
        Tilak: टिळक, टिळकां, mR""",
    "greatjob": "teacher: शिक्षक; doctor: डॉक्टर; writer: लेखक; lawyer: वकील; poet: कवी",
    "manjob": """cricketer: क्रिकेटपटू; singer: गायक; dancer: नर्तक; writer: लेखक; poet: कवी; painter: चित्रकार;
        actor: अभिनेता; teacher: शिक्षक; doctor: डॉक्टर; scientist: शास्त्रज्ञ""",
    "womanjob": """cricketer: क्रिकेटपटू; singer: गायिका; dancer: नर्तिका; writer: लेखिका; poet: कवयित्री;
        painter: चित्रकार; actress: अभिनेत्री; teacher: शिक्षिका; doctor: डॉक्टर; scientist: शास्त्रज्ञ""",
    "fame": "famous: प्रसिद्ध; great: महान; good: चांगला",
    "hobby": """sing: गायला; dance: नाचायला; swim: पोहायला; read: वाचायला; cook: स्वयंपाक करायला; play: खेळायला;
        read books: पुस्तकं वाचायला; play cricket: क्रिकेट खेळायला; drink tea: चहा प्यायला;
        listen to songs: गाणी ऐकायला; watch films: चित्रपट बघायला; travel: प्रवास करायला""",
    "dear": """tea: चहा, , ms; coffee: कॉफी, , fs; milk: दूध, , ns; mangoes: आंबे, , mp; flowers: फुलं, , np;
        cats: मांजरं, , np""",
    "compound": """train ticket: ट्रेनचं तिकीट, , ns; bus ticket: बसचं तिकीट, , ns; tea cup: चहाचा कप, , ms;
        water bottle: पाण्याची बाटली, , fs; car key: गाडीची किल्ली, , fs; house key: घराची किल्ली, , fs;
        history book: इतिहासाचं पुस्तक, , ns; gold ring: सोन्याची अंगठी, , fs; milk bottle: दुधाची बाटली, , fs;
        school bag: शाळेची बॅग, , fs; Marathi book: मराठी पुस्तक, , ns""",
    "place": """in my handbag: माझ्या हँडबॅगमध्ये; on the table: टेबलावर; in the cupboard: कपाटात;
        under the chair: खुर्चीखाली; in the kitchen: स्वयंपाकघरात; near the window: खिडकीजवळ""",
    "person": "man: माणूस, माणसा, ms; woman: बाई, बाई, fs; boy: मुलगा, मुला, ms; girl: मुलगी, मुली, fs",
    "gone": """came yesterday: काल आलेला; went to Mumbai: मुंबईला गेलेला; came from Pune: पुण्याहून आलेला;
        sat near the door: दाराजवळ बसलेला; fell down: खाली पडलेला""",
    "going": """lives in Pune: पुण्यात राहणारा; works in the bank: बँकेत काम करणारा;
        is reading a book: पुस्तक वाचणारा; sells mangoes: आंबे विकणारा; is waiting outside: बाहेर थांबलेला""",
    "done": """bought: विकत घेतलेला; saw: बघितलेला; sold: विकलेला; brought: आणलेला; repaired: दुरुस्त केलेला;
        gave us: आम्हाला दिलेला""",
    "trait": "tall: उंच; clever: हुशार; honest: प्रामाणिक; happy: आनंदी; rich: श्रीमंत; tired: थकलेला",
    "funds": "money: पैसे, , mp; time: वेळ, , ms; a car: गाडी, , fs; a bicycle: सायकल, , fs; a ticket: तिकीट, , ns",
    "buy": """a car: गाडी, , fs; a house: घर, , ns; a phone: फोन, , ms; a camera: कॅमेरा, , ms; a sari: साडी, , fs;
        two books: दोन पुस्तकं, , np; a bicycle: सायकल, , fs""",
    "task": """study: अभ्यास कर, , ms; help the farmer: शेतकऱ्याला मदत कर, , fs; clean the room: खोली साफ कर, , fs;
        work: काम कर, , ns; repair the watch: घड्याळ दुरुस्त कर, , ns; close the door: दार बंद कर, , ns;
        close the window: खिडकी बंद कर, , fs""",
    "act": """go home: घरी जा; sit here: इथे बस; wait outside: बाहेर थांब; play cricket: क्रिकेट खेळ;
        talk to the teacher: शिक्षकांशी बोल; sleep: झोप; get up early: लवकर उठ; go outside: बाहेर जा; run: धाव""",
    "couple": """my sister and I: माझी बहीण आणि मी, , 1mp; my friend and I: माझा मित्र आणि मी, , 1mp;
        Rahul and I: राहुल आणि मी, , 1mp""",
    "pair": """Neha and her brother: नेहा आणि तिचा भाऊ, , mp; Swati and her sister: स्वाती आणि तिची बहीण, , fp;
        Amit and his friend: अमित आणि त्याचा मित्र, , mp; Priya and her mother: प्रिया आणि तिची आई, , fp;
        my father and my brother: माझे वडील आणि माझा भाऊ, , mp""",
    "goods": """vegetables and fruit: भाज्या आणि फळं, , np; two books and a notebook: दोन पुस्तकं आणि एक वही, , fs;
        apples and bananas: सफरचंदं आणि केळी, , np; rice and vegetables: तांदूळ आणि भाज्या, , fp;
        flowers and mangoes: फुलं आणि आंबे, , mp""",
    "whom": """our mother: आमच्या आई, , fs; our father: आमच्या वडिलां, , mR; our grandmother: आमच्या आजी, , fs;
        the children: मुलां, , np; our friends: आमच्या मित्रां, , mp""",
    "past": """yesterday evening: काल संध्याकाळी; yesterday morning: काल सकाळी; on Sunday evening: रविवारी संध्याकाळी;
        last week: गेल्या आठवड्यात""",
    "shop": """to the market: बाजारात; to the shop: दुकानात; to the village: गावाला; to Pune: पुण्याला;
        to Mumbai: मुंबईला""",
    "here": """in the garden: बागेत; in our village: आमच्या गावात; in the school: शाळेत; in the city: शहरात;
        near the river: नदीजवळ""",
    "area": """in our village: आमच्या गावात; in our school: आमच्या शाळेत; in the city: शहरात; at home: घरी;
        in India: भारतात""",
    "many": """trees: झाडं, , np; flowers: फुलं, , np; children: मुलं, , np; birds: पक्षी, , mp; people: लोक, , mp;
        women: बायका, , fp; monkeys: माकडं, , np""",
    "quality": """interesting: मनोरंजक; beautiful: सुंदर; old: जुना; expensive: महाग; good: चांगला; difficult: अवघड;
        important: महत्त्वाचा; long: मोठा""",
    "text": """book: पुस्तक, , ns; story: गोष्ट, , fs; film: चित्रपट, , ms; song: गाणं, , ns; play: नाटक, , ns;
        poem: कविता, , fs; novel: कादंबरी, , fs""",
}

_CAPITALS = (
    ("Delhi", "दिल्ली", "India", "भारता"),
    ("Mumbai", "मुंबई", "Maharashtra", "महाराष्ट्रा"),
    ("Jaipur", "जयपूर", "Rajasthan", "राजस्थान"),
    ("Tokyo", "टोकियो", "Japan", "जपान"),
    ("London", "लंडन", "England", "इंग्लंड"),
    ("Berlin", "बर्लिन", "Germany", "जर्मनी"),
    ("Rome", "रोम", "Italy", "इटली"),
)
_CAPITAL = """
City/C is/A the/K? capital/K of/L State/L . | शहर/C राज्यची/L राजधानी/K आहे/A .
is/A City/C the/K? capital/K of/L State/L ? | शहर/C राज्यची/L राजधानी/K आहे/A का/A? ?
the/K? capital/K of/L State/L is/A City/C . | राज्यची/L राजधानी/K शहर/C आहे/A .
what/W is/A the/K? capital/K of/L State/L ? | राज्यची/L राजधानी/K कोणती/W आहे/A ?
{who} {know|know|knows:who}/V that/T City/C is/A the/K? capital/K of/L State/L . | \
    {who.ला} माहीत/V आहे/V की/T शहर/C राज्यची/L राजधानी/K आहे/A .
the/K? capital/K of/L State/L is/A a/O? big/B city/O . | राज्यची/L राजधानी/K मोठं/B शहर/O आहे/A .
"""


def _capitals():
    """Returns the lines of the frame of capitals, one for each capital and template."""
    for city, city_mr, state, state_mr in _CAPITALS:
        words = {"शहर/C": f"{city_mr}/C", "राज्य": state_mr, "City": city, "State": state}
        yield re.sub("|".join(words), lambda found, words=words: words[found[0]], _CAPITAL.strip())


# A name and how many sentences to take; below it, English | Marathi.
FRAMES = """
moved 130
{who} {moved:who} . | {who} {moved:who} .
{when} {who} {moved:who} . | {when} {who} {moved:who} .
{who} ran/V home/L . | {who} धावत/V घरी/L {गेलो:who}/V .
{who} ran/V home/L {when} . | {who} {when} धावत/V घरी/L {गेलो:who}/V .
{who} did/N? not/N {move} . | {who} {move:who} {नाही:who}/N .
did/F?+Q? {he} {move} ? | {he} {move:he} का/Q ?
{who} jumped/V into/L the/L? water/L . | {who.ने} पाण्यात/L उडी/V मारली/V .
{who} jumped/V from/L the/L? tree/L . | {who.ने} झाडावरून/L उडी/V मारली/V .
{who} forgot/V the/small1? {small} . | {who} {small} {विसरलो:who}/V .
{who} ate/V {food} and/C {who.he} went/W out/W . | \
    {who.ने} {food} {खाल्ला:food}/V आणि/C {who.तो} बाहेर/W {गेलो:who}/W .
{who} ate/V {food} and/C {who.he} fell/W asleep/W . | \
    {who.ने} {food} {खाल्ला:food}/V आणि/C {who.तो} झोपी/W {गेलो:who}/W .
{one} came/V home/L because/C {one.he} was/A ill/J . | {one} घरी/L {आलो:one}/V , कारण/C {one.तो} आजारी/J {होतो:one}/A .
beasts 110
{beast} ran/V away/V . | {beast} पळून/V {गेलो:beast}/V .
{beast} sat/V under/L the/L? tree/L . | {beast} झाडाखाली/L {बसलो:beast}/V .
{beast} came/V into/L the/L? house/L . | {beast} घरात/L {आलो:beast}/V .
{beast} ate/V {food} . | {beast.ने} {food} {खाल्ला:food}/V .
{bird} flew/V away/V . | {bird} उडून/V {गेलो:bird}/V .
{bird} sat/V on/L the/L? tree/L . | {bird} झाडावर/L {बसलो:bird}/V .
{bird} {is|are|is:bird}/A sitting/V on/L the/L? roof/L . | {bird} छपरावर/L {बसलो:bird}/V {आहे:bird}/A .
{beast} {lives|live|lives:beast}/V near/L the/L? river/L . | {beast} नदीजवळ/L {राहतो:beast}/V .
{bird} {flies|fly|flies:bird}/V in/L the/L? sky/L . | {bird} आकाशात/L {उडतो:bird}/V .
{beast} did/N? not/N come/V . | {beast} {आलो:beast}/V {नाही:beast}/N .
{beast} {was|were|was:beast}/A sleeping/V in/L the/L? garden/L . | {beast} बागेत/L {झोपलो:beast}/V {होतो:beast}/A .
where/W {does|do|does:bird}/F? {bird} live/V ? | {bird} कुठे/W {राहतो:bird}/V+F ?
nature 60
the/S? cow/S gives/V us/R milk/O . | गाय/S आपल्याला/R दूध/O देते/V .
the/S? cow/S gives/V milk/O . | गाय/S दूध/O देते/V .
cows/S give/V us/R milk/O {often} . | गाई/S आपल्याला/R {often} दूध/O देतात/V .
the/S? goat/S gives/V the/R? farmer/R milk/O . | शेळी/S शेतकऱ्याला/R दूध/O देते/V .
the/S? cow/S gives/V {who.me} milk/O . | गाय/S {who.ला} दूध/O देते/V .
the/S? hen/S gives/V us/R eggs/O . | कोंबडी/S आपल्याला/R अंडी/O देते/V .
the/S? tree/S gives/V us/R fruit/O . | झाड/S आपल्याला/R फळं/O देतं/V .
trees/S give/V us/R fruit/O and/C flowers/P . | झाडं/S आपल्याला/R फळं/O आणि/C फुलं/P देतात/V .
the/S? sun/S rises/V in/L the/L? east/L . | सूर्य/S पूर्वेला/L उगवतो/V .
the/S? sun/S rises/V in/L the/L? east/L {often} . | सूर्य/S {often} पूर्वेला/L उगवतो/V .
the/S? sun/S sets/V in/L the/L? west/L . | सूर्य/S पश्चिमेला/L मावळतो/V .
the/S? sun/S sets/V in/L the/L? west/L {often} . | सूर्य/S {often} पश्चिमेला/L मावळतो/V .
dogs/S bark/V at/T night/T . | कुत्रे/S रात्री/T भुंकतात/V .
{owner.my} dog/O barks/V {often} . | {owner.च:ms} कुत्रा/O {often} भुंकतो/V .
fish/S live/V in/L water/L . | मासे/S पाण्यात/L राहतात/V .
fish/S live/V in/L the/L? river/L . | मासे/S नदीत/L राहतात/V .
genitive 130
{owner.my} {thing} is/A {like} . | {owner.च:thing} {thing} {like:thing} {आहे:thing}/A .
{owner.my} {thing} is/A not/A {like} . | {owner.च:thing} {thing} {like:thing} {नाही:thing}/A .
{owner.my} {thing} was/A {like} . | {owner.च:thing} {thing} {like:thing} {होतो:thing}/A .
is/A {owner.my} {thing} {like} ? | {owner.च:thing} {thing} {like:thing} {आहे:thing}/A का/A? ?
this/D is/A {owner.my} {thing} . | {हा:thing}/D {owner.च:thing} {thing} {आहे:thing}/A .
this/D is/A not/A {owner.my} {small} . | {हा:small}/D {owner.च:small} {small} {नाही:small}/A .
where/W is/A {owner.my} {small} ? | {owner.च:small} {small} कुठे/W {आहे:small}/A ?
I/S saw/V {owner.my} {thing} {when} . | मी/S {when} {owner.च:thing} {thing} {बघितला:thing}/V .
{friend.my} {kin} lives/V {in} . | {friend.च:kin} {kin} {in} {राहतो:kin}/V .
{friend.my} {kin} came/V {when} . | {friend.च:kin} {kin} {when} {आलो:kin}/V .
{friend.my} {kin} is/A very/X {trait} . | {friend.च:kin} {kin} खूप/X {trait:kin} {आहे:kin}/A .
I/S know/V {friend.my} {kin} . | मी/S {friend.च:fp} {kin.ला} ओळखतो/V .
{friend.my} {kin} bought/V {buy} . | {friend.च:fp} {kin.ने} {buy} विकत/V {घेतला:buy}/V .
{friend.my} {kin.my} {thing} is/A {like} . | {friend.च:fp} {kin.च:thing} {thing} {like:thing} {आहे:thing}/A .
part_of 80
the/part1? {part} of/P the/building1? {building} {is|are|is:part}/A {painted} . | \
    {building.च:part}/P {part} {painted:part} {आहे:part}/A .
the/part1? {part} of/P the/building1? {building} {was|were|was:part}/A {painted} . | \
    {building.च:part}/P {part} {painted:part} {होतो:part}/A .
the/part1? {part} of/P our/H {building} {is|are|is:part}/A not/A {painted} . | \
    आमच्या/H {building.च:part}/P {part} {painted:part} {नाही:part}/A .
where/W {is|are|is:part}/A the/part1? {part} of/P the/building1? {building} ? | \
    {building.च:part}/P {part} कुठे/W {आहे:part}/A ?
what/W is/A the/N? name/N of/P your/H {building} ? | तुमच्या/H {building.च:ns}/P नाव/N काय/W आहे/A ?
I/S like/V the/part1? {part} of/P this/H {building} . | मला/S या/H {building.च:part}/P {part} {आवडतो:part}/V .
older_than_mine 80
{owner.my} {thing} is/A {more} than/P {mine}/M . | \
    {owner.च:thing} {thing} {mine}/M {thing'.पेक्षा}/P+M? {more:thing} {आहे:thing}/A .
{owner.my} {thing} is/A not/A {more} than/P {mine}/M . | \
    {owner.च:thing} {thing} {mine}/M {thing'.पेक्षा}/P+M? {more:thing} {नाही:thing}/A .
is/A {owner.my} {thing} {more} than/P {mine}/M ? | \
    {owner.च:thing} {thing} {mine}/M {thing'.पेक्षा}/P+M? {more:thing} {आहे:thing}/A का/A? ?
{owner.my} {thing} was/A {more} than/P {mine}/M . | \
    {owner.च:thing} {thing} {mine}/M {thing'.पेक्षा}/P+M? {more:thing} {होतो:thing}/A .
{owner.my} {thing} is/A {more} than/P {name.my} . | \
    {owner.च:thing} {thing} {name.च:fp} {thing'.पेक्षा}/P {more:thing} {आहे:thing}/A .
cities 150
{city} is/A a/E {townlike} city/O . | {city} एक/E {townlike} शहर/O आहे/A .
{city} is/A not/A a/O? {townlike} city/O . | {city} {townlike} शहर/O नाही/A .
is/A {city} a/E {townlike} city/O ? | {city} एक/E {townlike} शहर/O आहे/A का/A? ?
{metro} is/A bigger/J than/P {town} . | {metro} {town.पेक्षा}/P {मोठा:metro}/J {आहे:metro}/A .
{town} is/A smaller/J than/P {metro} . | {town} {metro.पेक्षा}/P {छोटा:town}/J {आहे:town}/A .
{town} is/A not/A bigger/J than/P {metro} . | {town} {metro.पेक्षा}/P {मोठा:town}/J {नाही:town}/A .
is/A {city} {townmore} than/P {city2} ? | {city} {city2.पेक्षा}/P {townmore:city} {आहे:city}/A का/A? ?
{who} {like|like|likes:who}/V {city} . | {who.ला} {city} {आवडतो:city}/V .
{who} {don't|don't|doesn't:who}/N like/V {city} . | {who.ला} {city} आवडत/V {नाही:city}/N .
{do|do|does:he}/F?+Q? {he} like/V {city} ? | {he.ला} {city} {आवडतो:city}/V+F का/Q ?
{city} is/A the/O? {citymost} city/O in/P India/P . | {city} भारतातलं/P सर्वात/citymost1 {citymost} शहर/O आहे/A .
{city} is/A very/X far/J . | {city} खूप/X लांब/J {आहे:city}/A .
how/W far/W is/A {city} ? | {city} किती/W लांब/W {आहे:city}/A ?
superlatives 80
{young} is/A the/O? {most} boy/O {group} . | {young} {group:ms} सर्वात/most1 {most:ms} मुलगा/O आहे/A .
{younger} is/A the/O? {most} girl/O {group} . | {younger} {group:fs} सर्वात/most1 {most:fs} मुलगी/O आहे/A .
{young} is/A not/A the/O? {most} student/O {group} . | {young} {group:ms} सर्वात/most1 {most:ms} विद्यार्थी/O नाही/A .
is/A {younger} the/O? {most} girl/O {group} ? | {younger} {group:fs} सर्वात/most1 {most:fs} मुलगी/O आहे/A का/A? ?
who/W is/A the/O? {most} boy/O {group} ? | {group:ms} सर्वात/most1 {most:ms} मुलगा/O कोण/W आहे/A ?
languages 150
{any} {speak|speak|speaks:any}/V {tongue} . | {any} {tongue} {बोलतो:any}/V .
{any} {don't|don't|doesn't:any}/N speak/V {tongue} . | {any} {tongue} बोलत/V {नाही:any}/N .
{any} can/A speak/V {tongue} . | {any.ला} {tongue} बोलता/V येतं/A .
{any} cannot/A+N speak/V {tongue} . | {any.ला} {tongue} बोलता/V येत/A नाही/N .
{he} {know|know|knows:he}/V {tongue} . | {he.ला} {tongue} येते/V .
{do|do|does:he}/F?+Q? {he} speak/V {tongue} ? | {he} {tongue} {बोलतो:he}/V+F का/Q ?
{any} {am|are|is:any}/A learning/V {tongue} . | {any} {tongue} शिकत/V {आहे:any}/A .
{any} {want|want|wants:any}/W? to/V learn/V {tongue} . | {any.ला} {tongue} शिकायची/V+W? आहे/W .
{tongue} is/A a/G? {tonguelike} language/G . | {tongue} {tonguelike} भाषा/G आहे/A .
is/A {tongue} a/G? {tonguelike} language/G ? | {tongue} {tonguelike} भाषा/G आहे/A का/A? ?
{tongue} is/A easier/J than/P {tongue2} . | {tongue} {tongue2.पेक्षा}/P सोपी/J आहे/A .
{owner.my} mother/G tongue/G is/A {tongue} . | {owner.च:fs} मातृभाषा/G {tongue} आहे/A .
this/D book/O is/A in/P {tongue} . | हे/D पुस्तक/O {tongue.त}/P आहे/A .
son_of 110
{young} is/A the/K? son/K of/P {worker} . | {young} {worker.च:ms}/P मुलगा/K आहे/A .
{younger} is/A the/K? daughter/K of/P {worker} . | {younger} {worker.च:fs}/P मुलगी/K आहे/A .
{younger} is/A not/A the/K? daughter/K of/P {worker} . | {younger} {worker.च:fs}/P मुलगी/K नाही/A .
is/A {young} the/K? son/K of/P {worker} ? | {young} {worker.च:ms}/P मुलगा/K आहे/A का/A? ?
{name.my} father/K is/A the/O? owner/O of/P this/H {building} . | \
    {name.च:mp} वडील/K या/H {building.च:mp}/P मालक/O आहेत/A .
{name.my} father/K is/A the/O? principal/O of/P our/H school/P . | \
    {name.च:mp} वडील/K आमच्या/H शाळेचे/P मुख्याध्यापक/O आहेत/A .
{who} {know|know|knows:who}/V that/T Narendra/S1 Modi/S2 is/A the/O? Prime/O Minister/O of/P India/P . | \
    {who.ला} माहीत/V आहे/V की/T नरेंद्र/S1 मोदी/S2 भारताचे/P पंतप्रधान/O आहेत/A .
Narendra/S1 Modi/S2 is/A the/O? Prime/O Minister/O of/P India/P . | नरेंद्र/S1 मोदी/S2 भारताचे/P पंतप्रधान/O आहेत/A .
{who} {know|know|knows:who}/V that/T Nehru/M was/A the/O? first/N Prime/O Minister/O of/P India/P . | \
    {who.ला} माहीत/V आहे/V की/T नेहरू/M भारताचे/P पहिले/N पंतप्रधान/O होते/A .
who/W is/A the/O? Prime/O Minister/O of/P India/P ? | भारताचे/P पंतप्रधान/O कोण/W आहेत/A ?
who/W is/A the/O? owner/O of/P this/H {building} ? | या/H {building.च:mp}/P मालक/O कोण/W आहेत/A ?
who/W is/A the/O? principal/O of/P this/H school/P ? | या/H शाळेचे/P मुख्याध्यापक/O कोण/W आहेत/A ?
respect 110
{great} was/A a/O? great/G {greatjob}/O . | {great} महान/G {greatjob}/O होते/A .
{great} was/A a/O? {greatjob}/O . | {great} {greatjob}/O होते/A .
{great} was/A not/A a/O? {greatjob}/O . | {great} {greatjob}/O नव्हते/A .
{great} was/A born/A {in} . | {great.च:ms} जन्म/A {in} झाला/A .
{icon} was/A a/O? great/G leader/O . | {icon} महान/G नेते/O होते/A .
{icon} was/A a/O? lawyer/O . | {icon} वकील/O होते/A .
{icon} was/A born/A in/P India/P . | {icon.च:ms} जन्म/A भारतात/P झाला/A .
{who} {know|know|knows:who}/V that/T {icon} was/A a/O? great/G leader/O . | \
    {who.ला} माहीत/V आहे/V की/T {icon} महान/G नेते/O होते/A .
Gandhi/S was/A born/A in/P Gujarat/P . | गांधींचा/S जन्म/A गुजरातमध्ये/P झाला/A .
{great} was/A born/A in/P Gujarat/P . | {great.च:ms} जन्म/A गुजरातमध्ये/P झाला/A .
{one} was/A born/A {in} . | {one.च:ms} जन्म/A {in} झाला/A .
I/S was/A born/A {in} . | माझा/S जन्म/A {in} झाला/A .
when/W was/F? {great} born/A ? | {great.च:ms} जन्म/A कधी/W झाला/A+F ?
where/W was/F? {one} born/A ? | {one.च:ms} जन्म/A कुठे/W झाला/A+F ?
{great} lived/V {in} . | {great} {in} राहायचे/V .
professions 110
{young} is/A a/manjob1? {manjob} . | {young} {manjob} आहे/A .
{younger} is/A a/womanjob1? {womanjob} . | {younger} {womanjob} आहे/A .
{young} is/A a/manjob1? {fame} {manjob} . | {young} {fame:ms} {manjob} आहे/A .
{younger} is/A a/womanjob1? {fame} {womanjob} . | {younger} {fame:fs} {womanjob} आहे/A .
{younger} was/A a/womanjob1? {fame} {womanjob} . | {younger} {fame:fs} {womanjob} होती/A .
{young} is/A not/A a/manjob1? {fame} {manjob} . | {young} {fame:ms} {manjob} नाही/A .
is/A {younger} a/womanjob1? {womanjob} ? | {younger} {womanjob} आहे/A का/A? ?
{younger} wants/W? to/V become/V a/womanjob1? {womanjob} . | {younger.ला} {womanjob} व्हायचं/V+W? आहे/W .
{young} wants/W? to/V become/V a/manjob1? {manjob} . | {young.ला} {manjob} व्हायचं/V+W? आहे/W .
loving 130
{one} {loves|love|loves:one}/V {dearest.me} . | {one.च:ns} {dearest.वर} प्रेम/V आहे/V .
I/S love/V {dearest.me} . | माझं/S {dearest.वर} प्रेम/V आहे/V .
I/S love/V {dearest.me} very/X much/X . | माझं/S {dearest.वर} खूप/X प्रेम/V आहे/V .
I/S love/V you/O . | माझं/S तुझ्यावर/O प्रेम/V आहे/V .
I/S love/V you/O very/X much/X . | माझं/S तुझ्यावर/O खूप/X प्रेम/V आहे/V .
{name} , I/S love/V you/O . | {name} , माझं/S तुझ्यावर/O प्रेम/V आहे/V .
{one} does/N? not/N love/V {dearest.me} . | {one.च:ns} {dearest.वर} प्रेम/V नाही/N .
does/F?+Q? {one} love/V {dearest.me} ? | {one.च:ns} {dearest.वर} प्रेम/V आहे/V+F का/Q ?
{one} loved/V {dearest.me} . | {one.च:ns} {dearest.वर} प्रेम/V होतं/V .
{one} loves/V {one.his}/H mother/O . | {one.च:ns} आपल्या/H आईवर/O प्रेम/V आहे/V .
{one} loves/V {one.his}/H brother/O . | {one.च:ns} आपल्या/H भावावर/O प्रेम/V आहे/V .
I/S love/V my/H {kin} . | माझं/S माझ्या/H {kin.वर} प्रेम/V आहे/V .
hobbies 150
{any} {like|like|likes:any}/L to/hobby1?+hobby? {hobby} . | {any.ला} {hobby} आवडतं/L .
{any} {don't|don't|doesn't:any}/N like/L to/hobby1?+hobby? {hobby} . | {any.ला} {hobby} आवडत/L नाही/N .
{do|do|does:he}/F?+Q? {he} like/L to/hobby1?+hobby? {hobby} ? | {he.ला} {hobby} आवडतं/L+F का/Q ?
do/F?+Q? you/S like/L to/hobby1?+hobby? {hobby} ? | तुम्हाला/S {hobby} आवडतं/L+F का/Q ?
{name} , do/F?+Q? you/S like/L to/hobby1?+hobby? {hobby} ? | {name} , तुला/S {hobby} आवडतं/L+F का/Q ?
{any} would/F like/L to/hobby1?+hobby? {hobby} . | {any.ला} {hobby} आवडेल/L+F .
would/F+Q? you/S like/L to/hobby1?+hobby? {hobby} ? | तुम्हाला/S {hobby} आवडेल/L+F का/Q ?
do/F?+Q? you/S like/V {dear} ? | तुम्हाला/S {dear} {आवडतो:dear}/V+F का/Q ?
{name} , do/F?+Q? you/S like/V {dear} ? | {name} , तुला/S {dear} {आवडतो:dear}/V+F का/Q ?
I/S love/V {dear} . | मला/S {dear} खूप/V {आवडतो:dear}/V .
{any} also/X {like|like|likes:any}/V {dear} . | {any.ला} {dear.सुद्धा}/X {आवडतो:dear}/V .
{any} {like|like|likes:any}/V it/O . | {any.ला} ते/O आवडतं/V .
{any} {don't|don't|doesn't:any}/N like/V it/O . | {any.ला} ते/O आवडत/V नाही/N .
compounds 150
my/H {compound} is/A {place} . | {माझा:compound}/H {compound} {place} आहे/A .
{name.my} {compound} is/A {place} . | {name.च:compound} {compound} {place} आहे/A .
where/W is/A your/H {compound} ? | {तुमचा:compound}/H {compound} कुठे/W आहे/A ?
where/W is/A {name.my} {compound} ? | {name.च:compound} {compound} कुठे/W आहे/A ?
is/A this/D your/H {compound} ? | {हा:compound}/D {तुमचा:compound}/H {compound} आहे/A का/A? ?
this/D is/A not/A {name.my} {compound} . | {हा:compound}/D {name.च:compound} {compound} नाही/A .
{who} bought/V a/compound2? {compound} {when} . | {who.ने} {when} {compound} विकत/V {घेतला:compound}/V .
I/S? lost/V my/H {compound} . | {माझा:compound}/H+S {compound} {हरवला:compound}/V .
this/D {compound} is/A {like} . | {हा:compound}/D {compound} {like:compound} आहे/A .
I/S need/V a/compound2? {compound} . | मला/S {compound} {हवा:compound}/V आहे/V .
{who} {don't|don't|doesn't:who}/N have/V+P? a/compound2? {compound} . | {who.कडे}/P {compound} नाही/N+V .
{name} bought/V a/O? second-hand/J car/O . | {name.ने} वापरलेली/J गाडी/O विकत/V घेतली/V .
{one.my} car/O is/A second-hand/J . | {one.च:fs} गाडी/O वापरलेली/J आहे/A .
the/R? bus/B stop/R is/A near/P the/building1? {building} . | बसचा/B थांबा/R {building.जवळ}/P आहे/A .
is/A the/R? bus/B stop/R near/P the/building1? {building} ? | बसचा/B थांबा/R {building.जवळ}/P आहे/A का/A? ?
{friend.my} English/E teacher/R lives/V {in} . | {friend.च:mp} इंग्रजीचे/E शिक्षक/R {in} राहतात/V .
relatives 170
the/person1? {person} who/W? {gone} is/A {trait} . | {gone:person}/W {person} {trait:person} {आहे:person}/A .
the/person1? {person} who/W? {going} is/A {trait} . | {going:person}/W {person} {trait:person} {आहे:person}/A .
the/person1? {person} who/W? {gone} is/A not/A {trait} . | {gone:person}/W {person} {trait:person} {नाही:person}/A .
the/O? man/O who/W? {gone} is/A my/H uncle/K . | {gone:ms}/W माणूस/O माझा/H मामा/K आहे/A .
the/O? man/O who/W? {going} is/A my/H uncle/K . | {going:ms}/W माणूस/O माझा/H मामा/K आहे/A .
the/O? woman/O who/W? {gone} is/A {name.my} aunt/K . | {gone:fs}/W बाई/O {name.च:fs} मावशी/K आहे/A .
the/O? girl/O who/W? {going} is/A {name.my} sister/K . | {going:fs}/W मुलगी/O {name.च:fs} बहीण/K आहे/A .
I/S know/V the/person1? {person} who/W? {gone} . | {gone:fp}/W {person.ला} मी/S ओळखतो/V .
do/F?+Q? you/S know/V the/person1? {person} who/W? {going} ? | {going:fp}/W {person.ला} तुम्ही/S ओळखता/V+F का/Q ?
the/thing1? {thing} that/W? {who} {done} is/A {like} . | {who.ने} {done:thing}/W {thing} {like:thing} {आहे:thing}/A .
the/thing1? {thing} {who} {done} was/A {like} . | {who.ने} {done:thing} {thing} {like:thing} {होतो:thing}/A .
where/W is/A the/small1? {small} that/W? {who} {done} ? | {who.ने} {done:small}/W {small} कुठे/W {आहे:small}/A ?
I/S liked/V the/thing1? {thing} that/W? {who} {done} . | {who.ने} {done:thing}/W {thing} मला/S {आवडलो:thing}/V .
the/B? boy/B whose/W father/K is/A {worker} lives/V {in} . | \
    ज्या/W मुलाचे/B+W? वडील/K {worker} आहेत/A तो/B? {in} राहतो/V .
the/B? girl/B whose/W father/K is/A {worker} lives/V {in} . | \
    ज्या/W मुलीचे/B+W? वडील/K {worker} आहेत/A ती/B? {in} राहते/V .
the/B? boy/B whose/W father/K is/A {worker} is/C my/H friend/F . | \
    ज्या/W मुलाचे/B+W? वडील/K {worker} आहेत/A तो/B? माझा/H मित्र/F आहे/C .
the/B? girl/B who/W speaks/V {tongue} is/A my/H sister/K . | जी/W मुलगी/B {tongue} बोलते/V ती/B? माझी/H बहीण/K आहे/A .
the/B? boy/B who/W speaks/V {tongue} is/A {trait} . | जो/W मुलगा/B {tongue} बोलतो/V तो/B? {trait:ms} आहे/A .
counterfactual 170
if/C {who} had/H+P? money/M , {who.he} would/W buy/V {buy} . | \
    {who.कडे}/P पैसे/M असते/H , तर/C {who.त्याने} {buy} विकत/V {घेतला:buy}/V {असता:buy}/W .
if/C {who} had/H+P? {funds} , {who.he} would/W go/V {to} . | \
    {who.कडे}/P {funds} {असता:funds}/H , तर/C {who.तो} {to} {गेलो:who}/V {असतो:who}/W .
if/C {who} had/H {funds} , I/S would/W be/V happy/J . | \
    {who.कडे}/H {funds} {असता:funds}/H , तर/C मला/S आनंद/J झाला/V असता/W .
{who} would/W have/W come/V if/C you/Y had/H told/T {who.him} . | \
    तुम्ही/Y {who.त्याला} सांगितलं/T असतंत/H तर/C {who} {आलो:who}/V {असतो:who}/W .
I/S would/W have/W come/V if/C {third} had/H told/T me/M . | \
    {third.ने} मला/M सांगितलं/T असतं/H तर/C मी/S आलो/V असतो/W .
{name} , I/S would/W have/W come/V if/C you/Y had/H told/T me/M . | \
    {name} , तू/Y मला/M सांगितलं/T असतंस/H तर/C मी/S आलो/V असतो/W .
we/S would/W have/W gone/V {to} if/C {third} had/H come/K . | \
    {third} {आलो:third}/K {असतो:third}/H तर/C आम्ही/S {to} गेलो/V असतो/W .
if/C it/R? had/H not/H rained/R , {who} would/W have/W gone/V {to} . | \
    पाऊस/R पडला/R नसता/H , तर/C {who} {to} {गेलो:who}/V {असतो:who}/W .
if/C it/R? had/H rained/R , {who} would/W have/W stayed/V at/L home/L . | \
    पाऊस/R पडला/R असता/H , तर/C {who} घरी/L {राहिलो:who}/V {असतो:who}/W .
if/C {who} were/B rich/J , {who.he} would/W buy/V {buy} . | \
    {who} श्रीमंत/J {असतो:who}/B , तर/C {who.त्याने} {buy} विकत/V {घेतला:buy}/V {असता:buy}/W .
if/C I/S were/B you/Y , I/T would/W buy/V {buy} . | \
    मी/S तुमच्या/Y जागी/Y असतो/B , तर/C मी/T {buy} विकत/V {घेतला:buy}/V {असता:buy}/W .
if/C I/S were/B you/Y , I/T would/W not/W go/V {to} . | मी/S तुमच्या/Y जागी/Y असतो/B , तर/C मी/T {to} गेलो/V नसतो/W .
if/C {pupil} had/H studied/K , {pupil.he} would/W have/W passed/V . | \
    {pupil.ने} अभ्यास/K केला/K असता/H , तर/C {pupil.तो} पास/V {झालो:pupil}/V {असतो:pupil}/W .
conditions 120
if/C it/R? rains/R , {who} will/F {act} . | पाऊस/R पडला/R , तर/C {who} {act.ेल:who}/F .
if/C it/R? rains/R {soon} , we/S will/F stay/V at/L home/L . | {soon} पाऊस/R पडला/R , तर/C आम्ही/S घरी/L राहू/V+F .
if/C {third} {comes|come|comes:third}/K {soon} , we/S will/F {act} . | \
    {third} {soon} {आलो:third}/K , तर/C आम्ही/S {act.ू}/F .
if/C you/S come/K {soon} , I/T will/F help/V you/Y . | तुम्ही/S {soon} आलात/K , तर/C मी/T तुम्हाला/Y मदत/V करेन/V+F .
if/C the/T? train/T is/L late/L , {who} will/F {act} . | ट्रेन/T उशिरा/L आली/L , तर/C {who} {act.ेल:who}/F .
if/C {third} {doesn't|don't|doesn't:third}/N come/K , I/S will/F be/V angry/V . | \
    {third} {आलो:third}/K {नाही:third}/N , तर/C मी/S रागावेन/V+F .
{name} , if/C you/S run/K , you/T will/F fall/V . | {name} , तू/S धावलास/K , तर/C तू/T पडशील/V+F .
if/C {pupil} {studies|study|studies:pupil}/K , {pupil.he} will/F pass/V . | \
    {pupil.ने} अभ्यास/K केला/K , तर/C {pupil.तो} पास/V {होईल:pupil}/V+F .
should 110
{any} should/A {act} . | {any.ने} {act.ायला} हवं/A .
{any} should/A not/N {act} . | {any.ने} {act.ायला} नको/A+N .
{any} should/A {task} . | {any.ने} {task.ायला} {हवा:task}/A .
should/A+Q? I/S {act} ? | मी/S {act.ायला} हवं/A का/Q ?
{any} must/A {task} . | {any.ने} {task.ायलाच} {हवा:task}/A .
{name} , you/S should/A {act} . | {name} , तू/S {act.ायला} हवंस/A .
has_to_act 130
{any} {have|have|has:any}/A to/act1?+act? {act} . | {any.ला} {act.ावं} लागेल/A .
{any} {have|have|has:any}/A to/task? {task} {soon} . | {any.ला} {soon} {task.ावा:task} {लागेल:task}/A .
{any} {have|have|has:any}/A to/act1?+act? {act} {often} . | {any.ला} {often} {act.ावं} लागतं/A .
{any} {don't|don't|doesn't:any}/N have/A to/act1?+act? {act} . | {any.ला} {act.ावं} लागत/A नाही/N .
{any} had/A to/act1?+act? {act} . | {any.ला} {act.ावं} लागलं/A .
{any} {need|need|needs:any}/A to/act1?+act? {act} . | {any.ला} {act.ायची} गरज/A आहे/A .
{any} {don't|don't|doesn't:any}/N need/A to/act1?+act? {act} . | {any.ला} {act.ायची} गरज/A नाही/N .
{do|do|does:he}/Q? {he} have/A to/act1?+act? {act} ? | {he.ला} {act.ावं} लागेल/A का/Q ?
may_and_able 150
may/A+Q? I/S {act} ? | मी/S {act.ू} का/Q+A ?
may/A+Q? we/S {act} ? | आम्ही/S {act.ू} का/Q+A ?
{any} may/A {act} {soon} . | {any} {soon} कदाचित/A {act.ेल:any} .
it/R? may/A rain/R {soon} . | {soon} कदाचित/A पाऊस/R पडेल/R .
{who} could/A not/N {act} {when} . | {who} {when} {act.ू} {शकलो:who}/A {नाही:who}/N .
{who} could/A not/N {act} because/C it/R? was/B raining/R . | \
    {who} {act.ू} {शकलो:who}/A {नाही:who}/N , कारण/C पाऊस/R पडत/R होता/B .
{who} {was|were|was:who}/A able/A to/act1?+act? {act} . | {who} {act.ू} {शकलो:who}/A .
{who} will/F be/A able/A to/act1?+act? {act} {soon} . | {who} {soon} {act.ू} {शकेल:who}/A+F .
will/F+Q? {he} be/A able/A to/act1?+act? {act} ? | {he} {act.ू} {शकेल:he}/A+F का/Q ?
can/A+Q? you/S {act} ? | तुम्ही/S {act.ू} शकता/A का/Q ?
used_to 90
{who} used/U? to/U? {act} {often} . | {who} {often} {act.ायचो:who}/U .
{who} used/U? to/U? go/V {to} {often} . | {who} {often} {to} {जायचो:who}/V+U .
{who} used/U? to/U? live/V {in} . | {who} {in} {राहायचो:who}/V+U .
{who} used/U? to/U? go/V {to} with/P {friend.my} brother/K . | {who} {friend.च:fp} भावाबरोबर/K+P {to} {जायचो:who}/V+U .
there_are 110
there/A? are/A many/X {many} {here} . | {here} खूप/X {many} आहेत/A .
there/A? were/A many/X {many} {here} . | {here} खूप/X {many} {होतो:many}/A .
there/A? are/A not/A many/X {many} {here} . | {here} जास्त/X {many} नाहीत/A .
are/A there/A? many/X {many} {here} ? | {here} खूप/X {many} आहेत/A का/A? ?
how/W many/W {many} are/A there/A? {here} ? | {here} किती/W {many} आहेत/A ?
there/A? is/A no/N water/O {here} . | {here} पाणी/O नाही/A+N .
there/A? was/A no/N water/O {here} {when} . | {when} {here} पाणी/O नव्हतं/A+N .
there/A? is/A a/E big/B {building} in/P our/H village/P . | आमच्या/H गावात/P एक/E {मोठा:building}/B {building} आहे/A .
is/A there/A? a/E {building} in/P our/H village/P ? | आमच्या/H गावात/P एक/E {building} आहे/A का/A? ?
passive 90
{tongue} is/A spoken/V {area} . | {area} {tongue} बोलली/V जाते/A .
{tongue} is/A not/N spoken/V {area} . | {area} {tongue} बोलली/V जात/A नाही/N .
this/D {text} was/A written/V by/P {name} . | {हा:text}/D {text} {name.ने}/P {लिहिला:text}/V आहे/A .
this/D {building} was/A built/V last/T year/T . | \
    {हा:building}/D {building} गेल्या/T वर्षी/T {बांधला:building}/V {गेलो:building}/A .
our/H {thing} was/A stolen/V {when} . | {आमचा:thing}/H {thing} {when} चोरीला/V {गेलो:thing}/V+A .
{name.my} {small} was/A found/V {here} . | {name.च:small} {small} {here} {सापडला:small}/V+A .
the/thing1? {thing} was/A sold/V {when} . | {thing} {when} {विकला:thing}/V {गेलो:thing}/A .
degree 150
this/D {text} is/A very/X {quality} . | {हा:text}/D {text} खूप/X {quality:text} आहे/A .
that/D {text} was/A very/X {quality} . | {तो:text}/D {text} खूप/X {quality:text} {होतो:text}/A .
this/D {text} is/A not/A very/X {quality} . | {हा:text}/D {text} {फारसा:text}/X {quality:text} नाही/A .
this/D {small} is/A too/X expensive/J . | {हा:small}/D {small} खूपच/X महाग/J आहे/A .
{who} always/X {go|go|goes:who}/V {to} . | {who} नेहमी/X {to} {जातो:who}/V .
{who} sometimes/X {go|go|goes:who}/V {to} . | {who} कधीकधी/X {to} {जातो:who}/V .
{who} never/N {go|go|goes:who}/V {to} . | {who} कधीच/N {to} जात/V {नाही:who}/N .
{who} also/X {live|live|lives:who}/V {in} . | {who.सुद्धा}/X {in} {राहतो:who}/V .
{who} went/V {to} again/X . | {who} पुन्हा/X {to} {गेलो:who}/V .
{who} {am|are|is:who}/A still/X sleeping/V . | {who} अजून/X {झोपलो:who}/V {आहे:who}/A .
{who} {have|have|has:who}/A already/X come/V home/L . | {who} आधीच/X घरी/L {आलो:who}/V {आहे:who}/A .
{who} {have|have|has:who}/V+P? only/X two/N books/O . | {who.कडे}/P फक्त/X दोन/N पुस्तकं/O आहेत/V .
only/X {who} came/V {when} . | {when} फक्त/X {who} {आलो:who}/V .
the/O? work/O is/A almost/X finished/V . | काम/O जवळजवळ/X संपलं/V आहे/A .
the/text1? {text} is/A almost/X finished/V . | {text} जवळजवळ/X {संपला:text}/V आहे/A .
{who} {am|are|is:who}/A also/X {trait} . | {who.सुद्धा}/X {trait:who} {आहे:who}/A .
requests 110
please/P {act} . | कृपया/P {act.ा} .
please/P don't/N {act} . | कृपया/P {act.ू} नका/N .
{name} , don't/N {act} . | {name} , {act.ू} नको/N .
{name} , please/P {act} . | {name} , कृपया/P {act} .
could/F+Q? you/S please/P {task} ? | तुम्ही/S कृपया/P {task.ाल} का/Q+F ?
please/P {task} . | कृपया/P {task.ा} .
let's/A {act} . | आपण/A {act.ूया} .
let's/A go/V {to} . | आपण/A {to} जाऊया/V .
let's/A go/V {to} {soon} . | आपण/A {soon} {to} जाऊया/V .
don't/N go/V {to} {soon} . | {soon} {to} जाऊ/V नका/N .
shopping_story 160
{past} {couple} went/G {shop} and/C bought/B {goods} for/P {whom} . | \
    {past} {couple} {shop} {गेलो:couple}/G आणि/C {whom.साठी}/P {goods} विकत/B {घेतला:goods}/B .
{past} {pair} went/G {shop} and/C they/S bought/B {goods} for/P {whom} . | \
    {past} {pair} {shop} {गेलो:pair}/G आणि/C त्यांनी/S {whom.साठी}/P {goods} विकत/B {घेतला:goods}/B .
{past} {third} went/G {shop} and/C {third.he} bought/B {goods} for/P {whom} . | \
    {past} {third} {shop} {गेलो:third}/G आणि/C {third.त्याने} {whom.साठी}/P {goods} विकत/B {घेतला:goods}/B .
{soon} {couple} will/F go/G {shop} and/C buy/B {goods} for/P {whom} . | \
    {soon} {couple} {shop} {जाईल:couple}/G+F आणि/C {whom.साठी}/P {goods} विकत/B {घेईल:couple}/B .
{often} {third} {goes|go|goes:third}/G {shop} and/C {buys|buy|buys:third}/B {goods} for/P {whom} . | \
    {often} {third} {shop} {जातो:third}/G आणि/C {whom.साठी}/P {goods} विकत/B {घेतो:third}/B .
home_story 180
when/C {who} came/G home/H {past} , my/M mother/N was/A making/V tea/T in/K the/K? kitchen/K for/P {whom} . | \
    {who} {past} घरी/H {आलो:who}/G , तेव्हा/C माझी/M आई/N स्वयंपाकघरात/K {whom.साठी}/P चहा/T बनवत/V होती/A .
when/C {who} came/G home/H {past} , {pair} {was|were|was:pair}/A sitting/V near/K the/K? window/K and/D talking/T . | \
    {who} {past} घरी/H {आलो:who}/G , तेव्हा/C {pair} खिडकीजवळ/K बसून/V+D बोलत/T {होतो:pair}/A .
{third} could/A not/N come/V to/L school/L {past} because/C {third.he} {was|were|was:third}/B very/X ill/J . | \
    {third} {past} शाळेत/L येऊ/V {शकलो:third}/A {नाही:third}/N , कारण/C {third.तो} खूप/X आजारी/J {होतो:third}/B .
{friend.my} brother/K will/F come/V from/L Mumbai/L to/M our/H village/M {soon} to/G meet/G {whom} . | \
    {friend.च:ms} भाऊ/K {soon} {whom.ला} भेटायला/G मुंबईहून/L आमच्या/H गावाला/M येईल/V+F .
{friend.my} sister/K came/V from/L Pune/L to/M our/H village/M {past} to/G meet/G {whom} . | \
    {friend.च:fs} बहीण/K {past} {whom.ला} भेटायला/G पुण्याहून/L आमच्या/H गावाला/M आली/V .
if/C it/R? rains/R {soon} , {couple} will/F stay/V at/L home/L and/D watch/W a/O? film/O with/P {whom} . | \
    {soon} पाऊस/R पडला/R , तर/C {couple} घरी/L {राहील:couple}/V+F आणि/D {whom.बरोबर}/P चित्रपट/O {बघेल:couple}/W .
every/T morning/T {third} {gets|get|gets:third}/U up/U early/E , {drinks|drink|drinks:third}/V a/T? cup/Q of/T? \
    tea/T and/C {goes|go|goes:third}/G {to} . | \
    रोज/T सकाळी/T {third} लवकर/E {उठतो:third}/U , एक/Q कप/Q चहा/T {पितो:third}/V आणि/C {to} {जातो:third}/G .
{third} gave/V {friend.me} a/O? new/W watch/O because/C {friend.he} had/H helped/H {third.him} {past} . | \
    {third.ने} {friend.ला} नवीन/W घड्याळ/O दिलं/V , कारण/C {past} {friend.त्याने} {third.त्याला} मदत/H केली/H होती/H .
"""
FRAMES += "\n".join(["capitals 70", *_capitals()])
