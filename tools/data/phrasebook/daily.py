"""Frames for what people say every day: greetings, family, shopping, the phone, health, school, travel, meals, dates.

A row holds how many sentences to take, the scenes, the English and the Marathi template. Besides the slots of `grammar`
a template has:

    <price>       an entry of the table `price`, in both languages
    {S's:fs}      whose, by gender and number of what follows: my, माझी; Neha's, नेहाची; {R's:fs} likewise of `whom`
    {R:to:कडे}    `whom` with a preposition and a postposition: to the doctor, डॉक्टरांकडे
    {O:ची}        the object's oblique: shirt, शर्टची
    {name} {how} {this-is}   who is called; कसा, कशी or कसे; हा, ही or हे, by the subject
    थकल^ मोठ~ दुसर%          past ending and adjective ending by the subject, adjective ending by the object
"""

import itertools
import re

from .daily_words import SCENES, TABLES, YOU
from .grammar import ARTICLES, Part, agree, fill, part, past, with_postposition

FRAMES = """
hello | 10 | called | hello/G , {name} . How/W {be}/A {S} ? | हॅलो/G , {name} . {S} {how}/W {be}/A ?
 | 10 | called | {call} how/W {be}/A {S} ? | {call} {S} {how}/W {be}/A ?
 | 7 | - | hello/G , <dear> ! | हॅलो/G , <dear> !
 | 3 | - | hello/G , <formal> . | नमस्कार/G , <formal> .
 | 1 | - | hello/G ! | नमस्कार/G !
 | 1 | you | how/W {be}/A {S} ? | {S} {how}/W {be}/A ?
 | 1 | you | hello/G , sir/H . How/W {be}/A {S} ? | नमस्कार/G , सर/H . {S} {how}/W {be}/A ?
 | 3 | you | hello/G , <lady> . How/W {be}/A {S} ? | नमस्कार/G , <lady> . {S} कशा/W {be}/A ?
 | 3 | you | <lady> , how/W {be}/A {S} ? | <lady> , {S} कशा/W {be}/A ?
 | 17 | yours | how/W {be}/A {S} ? | {S} {how}/W {be}/A ?
 | 12 | not-you | {S} {be}/A fine/J . | {S} ठीक/J {be}/A .
 | 5 | me | {S} {be}/A fine/J , thank/T you/T , <formal> . | {S} ठीक/J {be}/A , धन्यवाद/T , <formal> .
greeting | 21 | - | <greeting> , <dear> . | <greeting> , <dear> .
 | 6 | - | <greeting> , <elder> . | <greeting> , <elder> .
 | 9 | - | <greeting> , <formal> . | <greeting> , <formal> .
 | 3 | - | <greeting> ! | <greeting> !
 | 10 | - | see/V you/V? <then> , <dear> . | <then> भेटू/V , <dear> .
 | 5 | - | see/V you/V? <then> . | <then> भेटू/V .
thanks | 3 | - | thank/T you/T , <formal> . | धन्यवाद/T , <formal> .
 | 7 | - | thank/T you/T , <dear> ! | धन्यवाद/T , <dear> !
 | 7 | - | thank/T you/T very/M much/M , <dear> . | खूप/M खूप/M धन्यवाद/T , <dear> .
 | 3 | - | thank/T you/T very/M much/M , <formal> . | खूप/M खूप/M धन्यवाद/T , <formal> .
 | 1 | - | thank/T you/T . | धन्यवाद/T .
 | 1 | - | thank/T you/T very/M much/M . | खूप/M खूप/M धन्यवाद/T .
 | 3 | - | you're/N welcome/N , <formal> . | काही/N हरकत/N नाही/N , <formal> .
 | 7 | - | you're/N welcome/N , <dear> . | काही/N हरकत/N नाही/N , <dear> .
 | 1 | - | you're/N welcome/N . | काही/N हरकत/N नाही/N .
 | 3 | - | no/N problem/N , <formal> . | काही/N हरकत/N नाही/N , <formal> .
 | 1 | - | no/N problem/N . | काही/N हरकत/N नाही/N .
 | 4 | - | no/N problem/N , <dear> . | काही/N हरकत/N नाही/N , <dear> .
 | 7 | - | never/N mind/N , <dear> . | काही/N हरकत/N नाही/N , <dear> .
wishes | 25 | - | happy/J <festival> , <dear> ! | <festival> शुभेच्छा/J , <dear> !
 | 15 | - | happy/J <festival> , <formal> ! | <festival> शुभेच्छा/J , <formal> !
 | 5 | - | happy/J <festival> ! | <festival> शुभेच्छा/J !
 | 5 | - | happy/J <festival> to/E everyone/E ! | सगळ्यांना/E <festival> शुभेच्छा/J !
 | 10 | called | happy/J birthday/B , {name} ! | वाढदिवसाच्या/B शुभेच्छा/J , {name} !
 | 7 | - | congratulations/J , <dear> ! | अभिनंदन/J , <dear> !
 | 3 | - | congratulations/J , <formal> ! | अभिनंदन/J , <formal> !
welcome | 3 | - | nice/J to/V? meet/V you/Y , <formal> . | तुम्हाला/Y भेटून/V आनंद/J झाला/J , <formal> .
 | 10 | called | nice/J to/V? meet/V you/Y , {name} . | तुला/Y भेटून/V आनंद/J झाला/J , {name} .
 | 17 | yours-whom | nice/J to/V? meet/V {R} . | {R} भेटून/V आनंद/J झाला/J .
 | 8 | towns | welcome/W {to} . | {at} तुमचं/W? स्वागत/W आहे/W .
 | 8 | towns | sir/H , welcome/W {to} . | सर/H , {at} तुमचं/W? स्वागत/W आहे/W .
sorry | 3 | - | sorry/P , <formal> . | माफ/P करा/P , <formal> .
 | 3 | - | sorry/P , <formal> , I/S am/A late/L . | माफ/P करा/P , <formal> , मला/S उशीर/L झाला/A आहे/A .
 | 14 | all | {S-to} {be}/A late/L . | {S-to} उशीर/L झाला/A आहे/A .
 | 8 | third | {S-to} {was}/A late/L yesterday/T . | {S-to} काल/T उशीर/L झाला/A होता/A .
 | 10 | - | excuse/P me/P , where/W is/A <sight> ? | माफ/P करा/P , <sight> कुठे/W आहे/A ?
 | 3 | - | excuse/P me/P , <formal> , what/W time/W is/A it/A? ? | माफ/P करा/P , <formal> , किती/W वाजले/W आहेत/A ?
named | 90 | named | {S's:ns} name/N is/A {name} . | {S's:ns} नाव/N {name} आहे/A .
 | 10 | called | my/S name/N is/A {name} . | माझं/S नाव/N {name} आहे/A .
 | 17 | yours | what/W is/A {S's:ns} name/N ? | {S's:ns} नाव/N काय/W आहे/A ?
age | 17 | yours | how/W old/Y {be}/A {S} ? | {S} किती/W वर्षांच~/Y {be}/A ?
 | 10 | third | how/W old/Y {be}/A {S} ? | {S} किती/W वर्षांच~/Y {be}/A ?
 | 1 | you | how/W old/Y {be}/A {S} ? | {S} किती/W वर्षांचे/Y {be}/A ?
 | 10 | called | {call} how/W old/Y {be}/A {S} ? | {call} {S} किती/W वर्षांच~/Y {be}/A ?
 | 40 | children | {S} {be}/A <young> years/Y old/Y . | {S} <young> वर्षांच~/Y {be}/A .
 | 30 | adults | {S} {be}/A <old> years/Y old/Y . | {S} <old> वर्षांच~/Y {be}/A .
 | 10 | children | {S} {was}/A <young> years/Y old/Y . | {S} <young> वर्षांच~/Y {was}/A .
 | 10 | children | {S} {be}/A not/A <young> years/Y old/Y . | {S} <young> वर्षांच~/Y {not}/A .
older | 24 | peers | {S} {be}/A <some> years/Y older/J than/M me/M . | {S} माझ्यापेक्षा/M <some> वर्षांनी/Y मोठ~/J {be}/A .
 | 24 | peers | {S} {be}/A <some> years/Y younger/J than/M me/M . | {S} माझ्यापेक्षा/M <some> वर्षांनी/Y लहान/J {be}/A .
price | 75 | goods | {these} {O} costs/C <price> rupees/R . | {these} {O:ची} किंमत/C <price> रुपये/R आहे/C .
 | 16 | goods | how/W much/W is/A {this} {O} ? | {this} {O} कितीला/W {O-be}/A ?
 | 16 | goods | how/W much/W does/C? {these} {O} cost/C ? | {these} {O:ची} किंमत/C किती/W आहे/C ?
 | 16 | goods | {this} {O} {O-be}/A too/M expensive/J . | {this} {O} खूप/M महाग/J {O-be}/A .
 | 12 | goods | {this} {O} {O-be}/A very/M cheap/J . | {this} {O} खूप/M स्वस्त/J {O-be}/A .
 | 36 | goods-few | I/S paid/V <price> rupees/R for/O1 {these} {O} . | मी/S {these} {O:साठी} <price> रुपये/R दिले/V .
money | 14 | all | {S-near} {have}/V+P? <price> rupees/R . | {S-near}/P <price> रुपये/R आहेत/V .
 | 14 | not-you | {S-near} {do}/N? not/N have/V money/M . | {S-near} पैसे/M नाहीत/V+N .
 | 10 | others | {do}/Q? {S-near} have/V money/M ? | {S-near} पैसे/M आहेत/V का/Q ?
 | 6 | all | {S-to} {want}/V <price> rupees/R . | {S-to} <price> रुपये/R हवे/V आहेत/V .
shopping | 20 | - | give/V me/S <kilo> of/kilo2? <veg> . | मला/S <kilo> <veg> द्या/V .
 | 12 | - | please/P give/V me/S <kilo> of/kilo2? <grain> . | कृपया/P मला/S <kilo> <grain> द्या/V .
 | 5 | - | how/W much/W is/A one/K kilo/k of/k? <veg> ? | एक/K किलो/k <veg> कितीला/W आहेत/A ?
 | 3 | - | how/W much/W is/A one/K kilo/k of/k? <grain> ? | एक/K किलो/k <grain> कितीला/W आहे/A ?
 | 22 | good-better | do/Q? you/S have/V a/O1? {smaller}/J {N} ? | तुमच्याकडे/S यापेक्षा/J? {O-good}/J {N} आहे/V का/Q ?
 | 12 | goods | I/S want/V {this} {O} . | मला/S {this} {O} {wanted}/V {O-be}/V .
 | 12 | goods | I/S don't/V+N want/V {this} {O} . | मला/S {this} {O} नको/V+N .
 | 12 | goods | please/P show/V me/S {this} {O} . | कृपया/P मला/S {this} {O} दाखवा/V .
 | 14 | good | I/S want/V another/J {O} . | मला/S दुसर%/J {O} {wanted}/V {O-be}/V .
 | 14 | good | please/P show/V me/S another/J {O} . | कृपया/P मला/S दुसर%/J {O} दाखवा/V .
in_laws | 40 | in-law-roles | {S} {be}/A {role} . | {S} {role} {be}/A .
 | 25 | in-law-towns | {S} {eats}/V {at} . | {S} {at} {eats}/V .
 | 25 | in-law-moves | {S} will/F {eat}/V {to} {T} . | {S} {T} {to} {will-eat}/V+F! .
 | 75 | in-law-buys | {S-by} {ate}/V {O} . | {S-by} {O} {ate}/V .
 | 30 | in-law-likes | {S-to} {like}/V {O} . | {S-to} {O} {pleases}/V .
 | 20 | in-law-likes | {S-to} {do}/N? not/N like/V {O} . | {S-to} {O} आवडत/V {O-not}/N .
 | 22 | in-laws | this/D is/A {S} . | {this-is}/D {S} {be}/A .
 | 20 | my-whom | do/F?+Q? you/S know/V {R} ? | तुम्ही/S {R} ओळखता/V+F का/Q ?
family | 20 | weds | {S} {be}/A married/V . | {S's:ns} लग्न/V झालं/V आहे/A .
 | 1 | - | are/A+Q? you/S married/V ? | तुमचं/S लग्न/V झालं/V आहे/A का/Q ?
to_person | 20 | visits | {S} will/F {eat}/V {R:to:कडे} {T} . | {S} {T} {R:to:कडे} {will-eat}/V+F! .
 | 25 | visits | {S-to} {have}/A+V? to/V {eat}/V {R:to:कडे} {T} . | {S-to} {T} {R:to:कडे} जावं/V लागेल/A .
 | 25 | visited | {S} {ate}/V {R:to:कडे} {T} . | {S} {T} {R:to:कडे} {went}/V .
 | 10 | visited | {S} did/N? not/N {eat}/V {R:to:कडे} {T} . | {S} {T} {R:to:कडे} {went}/V {not}/N .
 | 10 | visit | please/P {eat}/V {R:to:कडे} . | कृपया/P {R:to:कडे} {eat-please}/V .
 | 10 | visit | did/F?+Q? {S} {eat}/V {R:to:कडे} ? | {S} {R:to:कडे} {went}/V+F! का/Q ?
 | 42 | got | {S-to} got/V {O} {R:from:कडून} . | {S-to} {R:from:कडून} {O} मिळाल%/V .
phone | 30 | calls | {S} will/F {eat}/V {R} {T} . | {S} {T} {R} {will-eat}/V+F! .
 | 30 | called-up | {S-by} {ate}/V {R} {T} . | {S-by} {T} {R} फोन/V केला/V .
 | 10 | called-up | {S-by} did/N? not/N {eat}/V {R} {T} . | {S-by} {T} {R} फोन/V केला/V नाही/N .
 | 5 | - | please/P call/V me/S <then> . | कृपया/P मला/S <then> फोन/V करा/V .
 | 10 | called | {call} call/V me/R <then> . | {call} मला/R <then> फोन/V कर/V .
 | 10 | - | <owner> phone/P number/N is/A <number> . | <owner> फोन/P नंबर/N <number> आहे/A .
 | 5 | - | what/W is/A <owner> phone/P number/N ? | <owner> फोन/P नंबर/N काय/W आहे/A ?
 | 5 | - | please/P write/V <owner> phone/X number/N . | कृपया/P <owner> फोन/X नंबर/N लिहा/V .
 | 14 | all | {S's:ms} phone/P is/A not/N working/V . | {S's:ms} फोन/P चालत/V नाहीये/A+N .
 | 10 | all | {S's:ms} phone/P is/A ringing/V . | {S's:ms} फोन/P वाजत/V आहे/A .
 | 10 | all | {S's:fp} phone's/P battery/B is/A dead/D . | {S's:fp} फोनची/P बॅटरी/B संपली/D आहे/A .
 | 10 | not-you | {S-by} did/N? not/N answer/V the/P? phone/P . | {S-by} फोन/P उचलला/V नाही/N .
 | 10 | called | {call} who/W is/A calling/V ? | {call} कोण/W फोन/V करत/V आहे/A ?
 | 1 | - | who/W is/A calling/V ? | कोण/W फोन/V करत/V आहे/A ?
aches | 25 | single | {S's:ns} <body-n> hurts/V . | {S's:ns} <body-n> दुखत/V आहे/V .
 | 40 | single | {S's:ms} <body-m> hurts/V . | {S's:ms} <body-m> दुखत/V आहे/V .
 | 12 | single | {S's:fs} <body-f> hurts/V . | {S's:fs} <body-f> दुखत/V आहे/V .
 | 12 | single | {S} {have}/V a/D? headache/D+V . | {S's:ns} डोकं/D दुखत/V आहे/V .
 | 6 | single-others | {do}/F?+Q? {S} have/V a/D? headache/D+V ? | {S's:ns} डोकं/D दुखत/V आहे/V का/Q ?
illness | 30 | not-you | {S-to} {have}/A <illness> . | {S-to} <illness> आहे/A .
 | 15 | others | {do}/Q? {S-to} have/A <illness> ? | {S-to} <illness> आहे/A का/Q ?
 | 10 | not-you | {S-to} {do}/N? not/N have/N a/D? fever/D . | {S-to} ताप/D नाही/N .
 | 25 | not-you | {S} {have}/A been/A ill/J <since> . | {S} <since> आजारी/J {be}/A .
 | 12 | all | {S-to} {be}/A feeling/V better/J today/T . | {S-to} आज/T बरं/J वाटत/V आहे/A .
 | 10 | not-you | {S-to} {be}/A not/N feeling/V well/J . | {S-to} बरं/J वाटत/V नाहीये/A+N .
medicine | 21 | - | take/V <dose> <dose-time> . | <dose> <dose-time> घ्या/V .
 | 14 | - | please/P take/V <dose> <dose-time> . | कृपया/P <dose> <dose-time> घ्या/V .
 | 15 | called | {call} take/V <dose> <dose-time> . | {call} <dose> <dose-time> घे/V .
school | 20 | called | {call} <told-child> . | {call} <told-child> .
 | 5 | - | children/H , <told> . | मुलांनो/H , <told> .
 | 9 | - | <formal> , please/P <rise> . | <formal> , कृपया/P <rise> .
 | 5 | - | please/P <told> . | कृपया/P <told> .
 | 10 | called | {call} which/W class/C {be}/A {S} in/C ? | {call} {S} कोणत्या/W वर्गात/C {be}/A ?
 | 24 | children | {S} {be}/A <class> . | {S} <class> {be}/A .
 | 10 | called | {call} did/F?+Q? {S} do/V your/Y homework/H ? | {call} {S} तुझा/Y गृहपाठ/H केलास/V+F का/Q ?
 | 12 | children | {S-by} did/F?+N? not/N do/V the/H? homework/H . | {S-by} गृहपाठ/H केला/V+F? नाही/N .
 | 12 | children | {S-to} {have}/A+V? to/V do/V homework/H . | {S-to} गृहपाठ/H करावा/V लागेल/A .
 | 20 | children | {S's:fs} exam/E is/A <today> . | {S's:fs} परीक्षा/E <today> आहे/A .
 | 12 | children | {S} passed/V the/E? exam/E . | {S} परीक्षेत/E पास/V झाल^/V .
 | 12 | - | <closed> is/A closed/J <today> . | <closed> <today> बंद/J आहे/A .
 | 12 | - | is/A+Q? <closed> closed/J <today> ? | <closed> <today> बंद/J आहे/A का/Q ?
tickets | 8 | towns | do/Q? you/S have/V a/K? ticket/K {to} ? | तुमच्याकडे/S {town's:ns} तिकीट/K आहे/V का/Q ?
 | 8 | towns | I/S have/V a/K? ticket/K {to} . | माझ्याकडे/S {town's:ns} तिकीट/K आहे/V .
 | 8 | towns | I/S bought/V a/K? ticket/K {to} . | मी/S {town's:ns} तिकीट/K विकत/V घेतलं/V .
 | 8 | towns | I/S want/V a/K? ticket/K {to} . | मला/S {town's:ns} तिकीट/K हवं/V आहे/V .
 | 16 | towns | please/P give/V me/S <some> tickets/K {to} . | कृपया/P मला/S {town's:fs} <some> तिकिटं/K द्या/V .
 | 8 | towns | how/W much/W is/A the/K? ticket/K {to} ? | {town's:ns} तिकीट/K कितीला/W आहे/A ?
 | 8 | towns | where/W is/A the/vehicle1? <vehicle> {to} ? | {town's:fs} <vehicle> कुठे/W आहे/A ?
 | 12 | towns | when/W does/F? the/vehicle1? <vehicle> {to} leave/V ? | {town's:fs} <vehicle> कधी/W सुटते/V+F ?
 | 16 | towns | this/D <vehicle> goes/V {to} . | ही/D <vehicle> {to} जाते/V .
 | 16 | towns | does/F?+Q? this/D <vehicle> go/V {to} ? | ही/D <vehicle> {to} जाते/V+F का/Q ?
 | 10 | towns | this/D <vehicle> does/N? not/N go/V {to} . | ही/D <vehicle> {to} जात/V नाही/N .
 | 8 | towns | which/W platform/P does/F? the/T? train/T {to} leave/V from/P ? | \
{town's:fs} ट्रेन/T कोणत्या/W प्लॅटफॉर्मवरून/P सुटते/V+F ?
travel | 2 | - | <vehicle-to> is/A late/L . | <vehicle-to> उशीर/L झाला/A आहे/A .
 | 8 | - | <vehicle-to> is/A <some> hours/T late/L . | <vehicle-to> <some> तास/T उशीर/L झाला/A आहे/A .
 | 20 | not-you | {S} missed/V the/vehicle1? <vehicle> . | {S's:fs} <vehicle> चुकली/V .
 | 36 | travels | {S} {eats}/V {to} <vehicle-by> . | {S} <vehicle-by> {to} {eats}/V .
 | 12 | towns | it/V? takes/V <some> hours/T to/go go/go {to} . | {to} जायला/go <some> तास/T लागतात/V .
 | 8 | towns | how/W long/W does/V? it/V? take/V to/go go/go {to} ? | {to} जायला/go किती/W वेळ/W लागतो/V ?
directions | 12 | - | turn/V <side> <at-sight> . | <at-sight> <side> वळा/V .
 | 12 | - | please/P turn/V <side> <at-sight> . | कृपया/P <at-sight> <side> वळा/V .
 | 6 | - | please/P stop/V <at-sight> . | कृपया/P <at-sight> थांबा/V .
 | 1 | - | go/V straight/J . | सरळ/J जा/V .
 | 4 | - | go/V straight/J and/C turn/W <side> <at-sight> . | सरळ/J जा/V आणि/C <at-sight> <side> वळा/W .
 | 1 | - | please/P wait/V here/H . | कृपया/P इथे/H थांबा/V .
 | 10 | called | {call} sit/V here/H . | {call} इथे/H बस/V .
 | 1 | - | stop/V here/H . | इथे/H थांबा/V .
 | 20 | - | <sight> is/A <side-on> . | <sight> <side-on> आहे/A .
 | 10 | - | how/W far/J is/A <sight> from/H here/H ? | <sight> इथून/H किती/W लांब/J आहे/A ?
 | 10 | - | is/A+Q? <sight> near/J here/H ? | <sight> इथून/H जवळ/J आहे/A का/Q ?
 | 20 | - | <sight> is/A <some> kilometres/K from/H here/H . | <sight> इथून/H <some> किलोमीटरवर/K आहे/A .
 | 20 | - | <sight> is/A <near-sight> . | <sight> <near-sight> आहे/A .
hungry | 30 | all | {S} {be}/A <need> . | {S-to} <need> लागली/A आहे/A .
 | 12 | others | {be}/A+Q? {S} <need> ? | {S-to} <need> लागली/A आहे/A का/Q ?
 | 14 | all | {S} {was}/A <need> . | {S-to} <need> लागली/A होती/A .
 | 12 | not-you | {S} {be}/A not/N <need> . | {S-to} <need> लागलेली/A? नाही/A+N .
 | 10 | called | {call} {be}/A+Q? {S} <need> ? | {call} तुला/S1 <need> लागली/A आहे/A का/Q ?
meals | 9 | - | <dish> is/A too/M <taste> . | <dish> खूप/M <taste> आहे/A .
 | 9 | - | <drink> is/A very/M <warm> . | <drink> खूप/M <warm> आहे/A .
 | 9 | - | is/A+Q? <dish> <taste> ? | <dish> <taste> आहे/A का/Q ?
 | 9 | - | <dish> is/A not/A <taste> . | <dish> <taste> नाही/A .
 | 9 | - | <formal> , please/P make/V <dish> less/M spicy/J . | <formal> , कृपया/P <dish> कमी/M तिखट/J बनवा/V .
 | 3 | - | please/P make/V <dish> less/M spicy/J . | कृपया/P <dish> कमी/M तिखट/J बनवा/V .
 | 6 | - | please/P bring/V <cup> . | कृपया/P <cup> आणा/V .
 | 6 | - | please/P give/V me/S <cup> . | कृपया/P मला/S <cup> द्या/V .
 | 3 | - | <formal> , please/P bring/V the/B? bill/B . | <formal> , कृपया/P बिल/B आणा/V .
 | 3 | - | <formal> , how/W much/W is/A the/B? bill/B ? | <formal> , बिल/B किती/W आहे/A ?
 | 12 | have | {S} will/F have/V <cup> . | {S} <cup> {will-eat}/V+F! .
 | 6 | - | will/F+Q? you/S have/V <cup> ? | तुम्ही/S <cup> घ्याल/V+F का/Q ?
 | 24 | eats | {S} {do}/N? not/N eat/V <diet> . | {S} <diet> खात/V {not}/N .
 | 14 | eats-others | {do}/F?+Q? {S} eat/V <diet> ? | {S} <diet> {eats}/V+F! का/Q ?
 | 14 | others | what/W would/F {S-to} like/V to/eat eat/eat ? | {S-to} काय/W खायला/eat आवडेल/V+F ?
 | 14 | others | what/W would/F {S-to} like/V to/eat drink/eat ? | {S-to} काय/W प्यायला/eat आवडेल/V+F ?
sky | 5 | - | the/K? sky/K is/A <sky> . | आकाश/K <sky> आहे/A .
 | 5 | - | the/K? sky/K is/A <sky> today/T . | आज/T आकाश/K <sky> आहे/A .
 | 5 | - | the/K? sky/K was/A <sky> yesterday/T . | काल/T आकाश/K <sky> होतं/A .
 | 5 | - | is/A+Q? the/K? sky/K <sky> ? | आकाश/K <sky> आहे/A का/Q ?
 | 5 | - | the/K? sky/K is/A not/A <sky> . | आकाश/K <sky> नाही/A .
 | 9 | towns | it/A? is/A very/M hot/J {at} today/T . | आज/T {at} खूप/M गरम/J आहे/A .
 | 9 | towns | it/A? is/A very/M cold/J {at} today/T . | आज/T {at} खूप/M थंडी/J आहे/A .
 | 9 | towns | it/A? was/A very/M cold/J {at} yesterday/T . | काल/T {at} खूप/M थंडी/J होती/A .
 | 9 | towns | it/A? was/A very/M hot/J {at} yesterday/T . | काल/T {at} खूप/M गरम/J होतं/A .
 | 1 | - | it/A? is/A very/M hot/J today/T . | आज/T खूप/M गरम/J आहे/A .
 | 1 | - | it/A? is/A very/M cold/J today/T . | आज/T खूप/M थंडी/J आहे/A .
 | 1 | - | it/A? was/A very/M cold/J yesterday/T . | काल/T खूप/M थंडी/J होती/A .
 | 8 | towns | is/A+Q? it/A? raining/V {at} ? | {at} पाऊस/V पडत/V आहे/A का/Q ?
 | 8 | towns | it/N? is/N not/N raining/V {at} . | {at} पाऊस/V पडत/V नाहीये/N .
 | 1 | - | it/A? is/A raining/V . | पाऊस/V पडत/V आहे/A .
feelings | 30 | not-you | {S} {be}/A very/M <mood> . | {S} खूप/M <mood> {be}/A .
 | 20 | not-you | {S} {be}/A so/M <mood> today/T . | {S} आज/T खूप/M <mood> {be}/A .
 | 24 | others | why/W {be}/A {S} so/M <mood> ? | {S} इतक~/M <mood> का/W {be}/A ?
 | 28 | not-you | {S} {be}/A tired/V . | {S} थकल^/V {be}/A .
 | 16 | not-you | {S} {be}/A very/M tired/V today/T . | {S} आज/T खूप/M थकल^/V {be}/A .
 | 20 | others | {be}/A+Q? {S} tired/V ? | {S} थकल^/V {be}/A का/Q ?
 | 15 | not-you | {S} {be}/A angry/R . | {S-to} राग/R आला/A आहे/A .
 | 10 | not-you | {S} {was}/A very/M angry/R yesterday/T . | {S-to} काल/T खूप/M राग/R आला/A होता/A .
 | 10 | called | {call} don't/N be/V angry/V . | {call} रागावू/V नको/N .
 | 10 | called | {call} don't/N worry/V . | {call} काळजी/V करू/V नको/N .
 | 3 | - | <formal> , please/P don't/N worry/V . | <formal> , कृपया/P काळजी/V करू/V नका/N .
 | 23 | missed | {S} miss/V {R} . | {S-to} {R's:fs} आठवण/V येते/V .
fear | 30 | all | {S-to} {be}/A afraid/V <fear> . | {S-to} <fear> भीती/V वाटते/A .
 | 15 | all | {S-to} {be}/N not/N afraid/V <fear> . | {S-to} <fear> भीती/V वाटत/V नाही/N .
 | 12 | others | {be}/A+Q? {S-to} afraid/V <fear> ? | {S-to} <fear> भीती/V वाटते/A का/Q ?
help | 16 | helped | can/A+Q? {S} help/V {R} ? | {S} {R} मदत/V करू/V {can}/A का/Q ?
 | 16 | helped | please/P help/V {R} . | कृपया/P {R} मदत/V करा/V .
 | 10 | called | {call} can/A+Q? {S} help/V me/R ? | {call} {S} मला/R मदत/V करू/V {can}/A का/Q ?
 | 10 | called | {call} please/P help/V me/R . | {call} कृपया/P मला/R मदत/V कर/V .
languages | 30 | all | {S-to} {want}/W? to/F learn/V <lang> . | {S-to} <lang> शिकायची/V+F+W आहे/W .
 | 16 | all | {S} {be}/A learning/V <lang> . | {S} <lang> शिकत/V {be}/A .
 | 8 | others | {be}/A+Q? {S} learning/V <lang> ? | {S} <lang> शिकत/V {be}/A का/Q ?
 | 40 | speaks | {do}/F?+Q? {S} speak/V <lang> ? | {S} <lang> {eats}/V+F! का/Q ?
 | 16 | not-you | {S-to} {do}/N? not/N understand/V <lang> . | {S-to} <lang> समजत/V नाही/N .
 | 12 | others | {do}/F?+Q? {S-to} understand/V <lang> ? | {S-to} <lang> समजते/V+F का/Q ?
 | 14 | not-you | {S-to} {do}/N? not/N understand/V . | {S-to} समजत/V नाही/N .
 | 3 | - | please/P speak/V <speak> . | कृपया/P <speak> बोला/V .
 | 3 | - | please/P speak/V <lang-in> . | कृपया/P <lang-in> बोला/V .
 | 9 | - | <formal> , please/P speak/V <lang-in> . | <formal> , कृपया/P <lang-in> बोला/V .
 | 9 | - | <formal> , please/P speak/V <speak> . | <formal> , कृपया/P <speak> बोला/V .
 | 18 | - | what/W is/F <thing-to> called/F <lang-said> ? | <thing-to> <lang-said> काय/W म्हणतात/F ?
 | 18 | - | how/W do/F? you/F? say/F <word-to> <lang-said> ? | <word-to> <lang-said> काय/W म्हणतात/F ?
 | 9 | - | <formal> , what/W is/F this/D called/F <lang-in> ? | <formal> , याला/D <lang-in> काय/W म्हणतात/F ?
 | 3 | - | what/W is/F this/D called/F <lang-in> ? | याला/D <lang-in> काय/W म्हणतात/F ?
 | 16 | called | {call} please/P speak/V <speak> . | {call} कृपया/P <speak> बोल/V .
opening | 30 | - | <opens> at/T <morning> . | <opens> .
 | 18 | - | <closes> at/T <evening> . | <closes> .
 | 6 | - | what/W time/W does/o? <open> ? | <open> ?
 | 20 | comes | {S} will/F {eat}/V at/T <clock> . | {S} <clock> वाजता/T {will-eat}/V+F! .
 | 12 | comes | {S} {ate}/V home/L at/T <clock> . | {S} <clock> वाजता/T घरी/L {went}/V .
 | 9 | - | please/P come/V at/T <clock> . | कृपया/P <clock> वाजता/T या/V .
 | 6 | - | it/A? is/A <hour> . | <hour> आहेत/A .
 | 1 | - | what/W time/W is/A it/A? ? | किती/W वाजले/W आहेत/A ?
dates | 7 | - | today/T is/A <day> . | आज/T <day> आहे/A .
 | 7 | - | tomorrow/T is/A <day> . | उद्या/T <day> आहे/A .
 | 7 | - | yesterday/T was/A <day> . | काल/T <day> होता/A .
 | 7 | - | today/T is/A not/A <day> . | आज/T <day> नाही/A .
 | 7 | - | is/A+Q? today/T <day> ? | आज/T <day> आहे/A का/Q ?
 | 1 | - | what/W day/D is/A it/A? today/T ? | आज/T कोणता/W वार/D आहे/A ?
 | 3 | - | <formal> , what/W day/D is/A it/A? today/T ? | <formal> , आज/T कोणता/W वार/D आहे/A ?
 | 1 | - | what/W day/D is/A it/A? tomorrow/T ? | उद्या/T कोणता/W वार/D आहे/A ?
 | 1 | - | what/W day/D was/A it/A? yesterday/T ? | काल/T कोणता/W वार/D होता/A ?
 | 1 | - | what/W is/A the/D? date/D today/T ? | आज/T कोणती/W तारीख/D आहे/A ?
 | 3 | - | <formal> , what/W is/A the/D? date/D today/T ? | <formal> , आज/T कोणती/W तारीख/D आहे/A ?
 | 1 | - | what/W is/A the/D? date/D tomorrow/T ? | उद्या/T कोणती/W तारीख/D आहे/A ?
 | 1 | - | what/W was/A the/D? date/D yesterday/T ? | काल/T कोणती/W तारीख/D होती/A ?
birthdays | 72 | not-you | {S's:ms} birthday/B is/A <month> . | {S's:ms} वाढदिवस/B <month> आहे/A .
 | 20 | not-you | {S's:ms} birthday/B is/A on/O <date> . | {S's:ms} वाढदिवस/B <date> रोजी/O आहे/A .
 | 40 | not-you | {S} {was}/A born/B on/O <date> <year> . | {S's:ms} जन्म/B <date> <year> रोजी/O झाला/A .
 | 16 | not-you | {S} {was}/A born/B in/O <year> . | {S's:ms} जन्म/B <year> साली/O झाला/A .
 | 14 | others | when/W is/A {S's:ms} birthday/B ? | {S's:ms} वाढदिवस/B कधी/W आहे/A ?
chores | 70 | chores | {S} will/F {eat}/V {O} {T} . | {S} {T} {O} {will-eat}/V+F! .
 | 70 | chores | {S-by} {ate}/V {O} . | {S-by} {O} {ate}/V .
 | 45 | chores | {S-by} did/N? not/N {eat}/V {O} . | {S-by} {O} {eaten}/V {O-not}/N .
 | 55 | chores | {S} {be}/A {eating}/V {O} . | {S} {O} {eating}/V {be}/A .
 | 13 | chores-you | please/P {eat}/V {O} . | कृपया/P {O} {eat-please}/V .
 | 12 | chores-called | {call} don't/N {eat}/V {O} . | {call} {O} {eat}/V नको/N .
 | 13 | chores-you | <formal> , please/P {eat}/V {O} . | <formal> , कृपया/P {O} {eat-please}/V .
 | 13 | chores-you | don't/N {eat}/V {O} . | {O} {eat}/V नका/N .
 | 50 | chores-called | {call} {eat}/V {O} . | {call} {O} {eat!}/V .
 | 40 | chores-called | {call} did/F?+Q? {S} {eat}/V {O} ? | {call} {S} {O} {ate}/V+F! का/Q ?
 | 13 | chores-one | who/W {ate}/V {O} ? | {O} कोणी/W {eaten}/V ?
"""


# --- Slots ----------------------------------------------------------------------------------------------------------

_HOW = {"ms": "कसा", "fs": "कशी", "mp": "कसे"}
_THIS_IS = {"ms": "हा", "fs": "ही", "mp": "हे"}
_OBLIQUE_POINTERS = {"this": "या", "that": "त्या"}
_SMALLER = {"small": "smaller", "big": "bigger", "cheap": "cheaper"}
_OWN = {"I": "my", "we": "our", "you": "your", "he": "his", "she": "her", "they": "their"}


def _whose(person, gender_number, name):
    """Returns somebody's, before a noun: my, माझी; Neha's, नेहाची."""
    stem = person.oblique.removesuffix("्या") if person.en in _OWN else person.oblique + "च"
    return part(_OWN.get(person.en, f"{person.en}'s"), agree(stem, gender_number), name)


# Slots that take arguments, after colons.
_SLOTS = {
    "S's": lambda c, gender_number: _whose(c.who, gender_number, "S"),
    "R's": lambda c, gender_number: _whose(c.whom, gender_number, "R"),
    "R": lambda c, preposition, ending: with_postposition(preposition, c.whom, c.whom.oblique + ending),
    "O": lambda c, ending: part(c.noun.en, (c.noun.oblique or c.noun.mr) + ending, "O"),
    "town's": lambda c, gender_number: Part("", f"{agree(c.place.to[1].removesuffix('ला') + 'च', gender_number)}/L"),
}
_PLAIN = {
    "{name}": lambda c: Part(f"{c.whom.en}/H", f"{c.whom.nominative}/H"),
    "{how}": lambda c: Part("", _HOW[c.who.agreement[1:]]),
    "{this-is}": lambda c: Part("", _THIS_IS[c.who.agreement[1:]]),
    "{these}": lambda c: Part(f"{c.pointer}/D", f"{_OBLIQUE_POINTERS[c.pointer]}/D"),
    "{smaller}": lambda c: Part(_SMALLER[c.word], ""),
}
_ENDINGS = {
    "^": lambda stem, c: stem + "ा" if c.who is YOU else past(stem, c.who.agreement),  # तुम्ही थकला आहात
    "~": lambda stem, c: agree(stem, c.who.agreement[1:]),
    "%": lambda stem, c: agree(stem, c.agreement[1:]),
}


def _entry(en, mr, name):
    """Returns an entry whose words are tagged: those that have a tag keep it, an article gets the next word's."""
    if "/" not in en + mr:
        return part(en, mr, name)
    words = en.split()
    for place in reversed(range(len(words))):
        if words[place] in ARTICLES:
            words[place] += f"/{words[place + 1].partition('/')[2]}?"
        elif "/" not in words[place]:
            words[place] += f"/{name}"
    return Part(
        " ".join(words), " ".join(word if "/" in word or word[0] == "<" else f"{word}/{name}" for word in mr.split())
    )


def _read_tables():
    """Returns the entries of each table, by its name."""
    tables = {}
    for line in TABLES.strip().splitlines():
        name, _, cells = line.partition(":")
        tables[name] = [_entry(*(side.strip() for side in cell.split("=")), name) for cell in cells.split(";")]
    return tables


def _fill(template, scene, marathi):
    """Fills one side's template, first this module's slots and then those of `grammar`."""
    for slot in _PLAIN:
        if slot in template:
            template = template.replace(slot, _PLAIN[slot](scene)[marathi])
    template = re.sub(r"\{([^\s{}:]+):(\S*?)\}", lambda m: _SLOTS[m[1]](scene, *m[2].split(":"))[marathi], template)
    template = re.sub(r"([^\s/]+)([~^%])(?=[\s/])", lambda m: _ENDINGS[m[2]](m[1], scene), template)
    return fill(template, scene, marathi)


def _sentences(scenes, english, marathi, tables):
    """Yields the tagged sentences of a row, for each scene and each choice of words."""
    names = re.findall(r"<([\w-]+)>", english)
    for scene, *entries in itertools.product(scenes, *(tables[name] for name in names)):
        sides = [english, marathi]
        for name, entry in zip(names, entries, strict=True):
            sides = [text.replace(f"<{name}>", words) for text, words in zip(sides, entry[:2], strict=True)]
        yield _fill(sides[0], scene, False), _fill(sides[1], scene, True)


def frames(spread):
    """Returns {frame: (quota, tagged sentences)}; of a row's sentences `spread(sentences, number)` takes so many."""
    tables, found, name = _read_tables(), {}, ""
    for line in FRAMES.strip().splitlines():
        head, number, scenes, english, marathi = (cell.strip() for cell in line.split("|"))
        name = head or name
        found.setdefault(name, []).extend(spread(_sentences(SCENES[scenes], english, marathi, tables), int(number)))
    return {name: (len(sentences), sentences) for name, sentences in found.items()}
