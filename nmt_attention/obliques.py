"""The oblique of Marathi place names, to which case endings are added: पुणे, but पुण्याला, पुण्यात, पुण्याहून.

How a name ends does not tell whether it changes: सातारा does (साताऱ्यात), कॅनडा does not (कॅनडात). So the places of
`data/names.tsv` that certainly change are listed here. Not listed are those of which both forms are in print
(हातकणंगलेत, हातकणंगल्यात), and names that people bear as often as places (भीमा), because those of people do not change.

Source: Dhongde and Wali 2009, Marathi (the rules for nouns in -ा and -े). A language model chose the places.
"""

import re

_YA = """
अकोला अकोले अक्कलकुवा अजिंक्यतारा अजिंठा अर्नाळा आंजर्ले आग्रा आग्रीपाडा आजरा आष्टा उमरगा औंढा करमाळा कर्नाळा कळवा कसारा
कामाठीपुरा कुपवाडा कुर्ला कुलाबा कोंढवा कोलकाता खंडाळा खडकवासला खर्डा गगनबावडा गणपतीपुळे गुलबर्गा गोवा चिकलठाणा चिखलदरा चोपडा
छिंदवाडा जंजिरा जालना टिटवाळा ठाणे ढाका तळोदा तोरणा दंतेवाडा दारव्हा दिवा देवळा धुळे नांदुरा नागझिरा नागपाडा नागोठणे
नालासोपारा निलंगा नौपाडा पन्हाळा परतवाडा परांडा पांढरकवडा पाचोरा पाटणा पाटोदा पारोळा पुणतांबा पुणे फोंडा बडनेरा बांदा बुलढाणा
भंडारदरा भंडारा भोईवाडा मंगळवेढा मंठा मराठवाडा मांडवा माटुंगा माढा मानपाडा माळवा मुंढवा मुंब्रा मोखाडा म्हसळा येरवडा येवला
रंकाळा रांगणा राजुरा रेवदंडा रोहा लांजा लोणावळा वडाळा वरोरा वर्धा वर्सोवा वाकोला वाडा वाळवा वासोटा विजयवाडा विटा
वेंगुर्ला वेल्हे शहादा शिंदखेडा शिमला शिराळा शिरोडा श्रीगोंदा सटाणा सफाळे साकीनाका सांगोला सातपुडा सातारा सानपाडा सापुतारा
सावदा सुरगाणा हिंगणा
"""  # masculine in -ा and neuter in -े: -्या
_E = """
अमेरिका अयोध्या आफ्रिका कोयना गया तुंगभद्रा दूधगंगा द्वारका पंचगंगा पाताळगंगा पैनगंगा प्रवरा ब्रह्मपुत्रा मक्का मथुरा मदिना
वारणा वैनगंगा
"""  # feminine in -ा: -े
OBLIQUES = {
    **{place: re.sub("(?<!्)र$", "ऱ", place[:-1]) + "्या" for place in _YA.split()},
    **{place: f"{place[:-1]}े" for place in _E.split()},
    "नेवासा": "नेवाशा",
    "म्हापसा": "म्हापशा",
}
PARTICLES = ("च", "ही", "सुद्धा", "देखील")  # even, too: no case endings, so a name before them does not change
ENDING = re.compile(rf"(?!(?:{'|'.join(PARTICLES)})(?![\u0900-\u0963\u0970-\u097f]))[अ-ह]")
