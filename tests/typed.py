"""What people type beside plain words, kind by kind: what is hidden of it, and what the translation writes."""

# Sentence; names in letters with accents, apostrophes and hyphens; the same in letters from a to z.
LETTERS = [
    ("José came.", "José", "Jose"),
    ("Jose\u0301 came.", "Jose\u0301", "Jose"),  # decomposed
    ("I met Zoë yesterday.", "Zoë", "Zoe"),
    ("Müller came.", "Müller", "Muller"),
    ("Is this Łukasz's book?", "Łukasz", "Lukasz"),
    ("Ñandú, Đorđe and I came.", "Đorđe", "Dorde"),
    ("He lives in Weiß.", "Weiß", "Weiss"),
    ("Søren came.", "Søren", "Soren"),
    ("Ærø is an island.", "Ærø", "Aero"),
    ("Þór came.", "Þór", "Thor"),
    ("Işık met Tom.", "Işık", "Isik"),
    ("Tom met Nguyễn.", "Nguyễn", "Nguyen"),
    ("Šárka Čapek came.", "Šárka Čapek", "Sarka Capek"),
    ('"Renée", said Tom.', "Renée", "Renee"),
    ("O'Brien is a teacher.", "O'Brien", "OBrien"),
    ("I met O’Brien’s son.", "O’Brien", "OBrien"),
    ("Tom met D'Souza.", "D'Souza", "DSouza"),
    ("Tom met d'Artagnan.", "d'Artagnan", "dArtagnan"),
    ("I saw Jean-Luc.", "Jean-Luc", "Jean Luc"),
    ("Ask Anne-Marie's mother.", "Anne-Marie", "Anne Marie"),
    ("Tom met Jean-Éric O'Neil.", "Jean-Éric O'Neil", "Jean Eric ONeil"),
    ("McDonald met Tom.", "McDonald", "McDonald"),
    ("'Rahul' came.", "Rahul", "Rahul"),
]

# Sentence; the names that are hidden of it, as the list has them: in small letters, in two words, with a known part.
FULL_NAMES = [
    ("rahul came.", ["Rahul"]),
    ("i met rahul hunt.", ["Rahul"]),  # hunt is a word, too
    ("i met rahul sen.", ["Rahul Sen"]),
    ("RAHUL CAME.", ["Rahul"]),
    ("I read RAM.", ["RAM"]),  # spelled letter by letter
    ("I READ RAM.", ["Ram"]),
    ("He came to M.G. Road, and I met Rahul.", ["M.G.", "Rahul"]),
    ("mark it, rahul.", ["Rahul"]),
    ("I met Mark Sen.", ["Mark Sen"]),
    ("I met Shah Rukh Sen.", ["Shahrukh Sen"]),
    ("i met shah rukh.", ["Shahrukh"]),
    ("Shah, Rukh and I came.", ["Shah", "Rukh"]),
    ("I met Tom Sen.", ["Tom Sen"]),  # of a given name that is known
    ("Ask Amol Brown.", ["Amol Brown"]),  # of a surname that is known
    ("Tom Brown came.", []),
    ("Maybe Tom came.", ["Maybe"]),  # which is in no list
    ("I saw West Satara.", ["Satara"]),
    ("Will Rahul come?", ["Rahul"]),
    ("See rahul.com or mail rahul@sen.com.", ["rahul.com", "rahul@sen.com"]),
]

# Sentence; what stands for what is hidden of it, in its order.
LISTS = [
    ("Rahul, Amit, Sunil and Vikram are my friends.", ["Rahul, Amit, Sunil", "Vikram"]),
    ("Rahul and Amit and Sunil and Vikram came.", ["Rahul and Amit and Sunil", "Vikram"]),
    ("I met Rahul, Amit, Sunil, or Vikram.", ["Rahul, Amit, Sunil", "Vikram"]),
    ("Rahul & Amit & Sunil came.", ["Rahul and Amit", "Sunil"]),
    ("Priya Sharma, Amit Patil and Sunil Rao came.", ["Priya Sharma, Amit Patil", "Sunil Rao"]),
    ("Tom, Rahul and Mary came.", ["Tom, Rahul", "Mary"]),  # one of them is unknown
    ("Tom, Mary and Alice came.", []),  # none is
    ("Tom, Mary, Alice and John came.", ["Tom, Mary, Alice", "John"]),  # too many even so
    ("Rahul told Amit that Sunil saw Vikram.", ["Rahul", "Amit", "Sunil", "Vikram"]),
    ("Tom told Mary that Alice saw John.", ["Tom", "Mary", "Alice", "John"]),
    ("Rahul, 12 and Amit", ["Rahul", "12", "Amit"]),  # no list of one kind
    ("I have 12, 13, 14, 15 and 16 books.", ["12, 13, 14, 15", "16"]),
    ("I have 11 cows, 12 goats and 13 dogs.", ["11", "12", "13"]),
    ("I met Pune, Thane, Nashik and Nagpur.", ["Pune, Thane, Nashik", "Nagpur"]),
]

# Sentence; the number in it; how it is written.
NUMBERS = [
    ("It is -5 degrees.", "-5", "-५"),
    ("It is −12.5 degrees.", "−12.5", "−१२.५"),
    ("It is -3°C now.", "-3°C", "-३°C"),
    ("It is on 12/05/2024.", "12/05/2024", "१२/०५/२०२४"),
    ("Today is 2024-05-12.", "2024-05-12", "२०२४-०५-१२"),
    ("Today is 12.05.2024.", "12.05.2024", "१२.०५.२०२४"),
    ("He was 1st.", "1st", "१ला"),
    ("This is my 22nd book.", "22nd", "२२वा"),
    ("I live on the 13th floor.", "13th", "१३व्या"),
    ("It is May 22nd.", "May 22nd", "may २२"),
    ("It is the 3rd of March.", "3rd", "३"),
    ("My number is +91 98765 43210.", "+91 98765 43210", "+९१ ९८७६५ ४३२१०"),
    ("Call 98765-43210.", "98765-43210", "९८७६५-४३२१०"),
    ("Call (022) 2345 6789.", "(022) 2345 6789", "(०२२) २३४५ ६७८९"),
    ("It is 3.14.", "3.14", "३.१४"),
    ("I bought 1,00,000 books.", "1,00,000", "१,००,०००"),
    ("It is 1 000 000.", "1 000 000", "१ ००० ०००"),
    ("I read 55% of it.", "55%", "५५%"),
    ("It rose by 5.5 %.", "5.5 %", "५.५ %"),
    ("It costs $5.", "$5", "$५"),
    ("It costs ₹450.", "₹450", "₹४५०"),
    ("It costs Rs. 450.", "Rs. 450", "₹४५०"),
    ("It costs €1,250.50 now.", "€1,250.50", "€१,२५०.५०"),
    ("It is 7:45.", "7:45", "७:४५"),
    ("Come at 10.30 pm.", "10.30 pm", "रात्री १०.३०"),
    ("Come at 9 a.m. on Monday.", "9 a.m.", "सकाळी ९"),
    ("Come at 5pm.", "5pm", "संध्याकाळी ५"),
    ("I have 5-6 books.", "5-6", "५-६"),
    ("Read 10–20 books.", "10–20", "१०–२०"),
    ("I ate 1/2 of it.", "1/2", "१/२"),
    ("In the 1980s I read.", "1980s", "१९८०"),
    ("It is 5kg.", "5kg", "५ किलो"),
    ("It is 5 km to Pune.", "5 km", "५ किलोमीटर"),
    ("He is 6 ft tall.", "6 ft", "६ फूट"),
    ("It costs 5 lakh.", "5 lakh", "५ लाख"),
    ("He drove at 60 km/h.", "60 km/h", "६० किलोमीटर प्रति तास"),
    ("It is 10 sq. ft wide.", "10 sq. ft", "१० चौरस फूट"),
    ("I drank 2 L of it.", "2 L", "२ लिटर"),
    ("It is 40 inches wide.", "40 inches", "४० इंच"),
    ("It has 8 GB of it.", "8 GB", "८ जीबी"),
    ("He paid 75 paise.", "75 paise", "७५ पैसे"),
    ("What is 2 + 2?", "2 + 2", "२ + २"),
    ("Is 2.5 x 4 = 10?", "2.5 x 4 = 10", "२.५ × ४ = १०"),
    ("What is 12 - 5?", "12 - 5", "१२ - ५"),
    ("What is 100 / 4?", "100 / 4", "१०० / ४"),
]

COPIED = [
    *("www.example.org", "https://example.org/a?b=1&c=2#d", "http://localhost:8000", "example.co.in", "x.org/faq.html"),
    *("rahul.sharma@gmail.com", "report.pdf", "notes_v2.docx", "data.tar.gz", r"C:\Users\tom\a.txt", "/usr/local/bin"),
    *("~/notes.txt", "@virat_18", "#India", "#भारत", "192.168.0.1", "MP3", "COVID-19", "R&D", "चहा", "пушкин"),
    *("%s", "%1$s", "%d", "{name}", "{0}", "{{user.name}}", "$name", "${name}"),
]

NOT_COPIED = ["He and/or she came.", "Go.Stop.", "Is it I/O?", "e.g. this", "What?! No.", "a:b", "Tom's #", "@ home"]

# Text with entities; the same without.
ENTITIES = [
    ("I don&apos;t know.", "I don't know."),
    ("I don &apos;t know .", "I don't know ."),
    ("I don&#39;t know.", "I don't know."),
    ("I don&#x27;t know.", "I don't know."),
    ("I don&amp;apos;t know.", "I don't know."),
    ("I don&amp;amp;#39;t know.", "I don't know."),
    ("Tom &amp; Mary", "Tom & Mary"),
    ("&quot;Go&quot;", '"Go"'),
    ("5&nbsp;May", "5\xa0May"),
    ("1 &lt; 2 &gt; 0", "1 < 2 > 0"),
    ("Caf&eacute;", "Café"),
    ("&#91; a &#124; b &ket;", "[ a | b ]"),
    ("&#2330;&#2361;&#2366;", "चहा"),
    ("&#0; &#55296; &#9999999;", "     "),
    *[(text, text) for text in ("R&D", "AT&T; no", "x?a=1&lt=2&copy=3", "&nosuch;", "& ;", "&;")],
]
