<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name>Canvas</name>
    <message numerus="yes">
        <source>%1 · %n op(s)</source>
        <translation>
            <numerusform>%1 · %n Op</numerusform>
            <numerusform>%1 · %n Ops</numerusform>
        </translation>
    </message>
    <message>
        <source>then</source>
        <translation>dann</translation>
    </message>
    <message>
        <source>else</source>
        <translation>sonst</translation>
    </message>
</context>
<context>
    <name>Edge</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %n weitere</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Value on an edge</source>
        <translation>Wert auf einer Kante</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Nach</translation>
    </message>
    <message>
        <source>Also used by</source>
        <translation>Auch benutzt von</translation>
    </message>
    <message>
        <source>E chooses the next edge that enters the node.</source>
        <translation>E wählt die nächste Kante, die in den Knoten führt.</translation>
    </message>
</context>
<context>
    <name>Engine</name>
    <message>
        <source>no rule for %1</source>
        <translation>keine Regel für %1</translation>
    </message>
    <message>
        <source>%1: kept by hand</source>
        <translation>%1: von Hand dort gehalten</translation>
    </message>
    <message>
        <source>%1: outside the limits of regions</source>
        <translation>%1: außerhalb der Grenzen für Regionen</translation>
    </message>
    <message>
        <source>every %1</source>
        <translation>alle %1</translation>
    </message>
    <message>
        <source>supported without a condition</source>
        <translation>ohne Bedingung unterstützt</translation>
    </message>
    <message>
        <source>no rule for %1; it would follow its argument or all its users, but they are not on this backend</source>
        <translation>keine Regel für %1; es folgte seinem Argument oder allen, die es benutzen, doch die sind nicht auf diesem Backend</translation>
    </message>
    <message>
        <source>%1 is the root of a match of the pattern %2.</source>
        <translation>%1 ist die Wurzel einer Übereinstimmung mit dem Muster %2.</translation>
    </message>
    <message>
        <source>%1 matches the pattern %2, but does not become a composite: %3.</source>
        <translation>%1 passt zum Muster %2, bleibt aber, wie es ist: %3.</translation>
    </message>
    <message>
        <source>%1 goes to %2: the backend accepts it.</source>
        <translation>%1 geht zu %2: das Backend nimmt ihn.</translation>
    </message>
    <message>
        <source>%1 goes to %2: %3 accepts it.</source>
        <translation>%1 geht zu %2: %3 nimmt ihn an.</translation>
    </message>
    <message>
        <source>%1 does not go to %2: %3.</source>
        <translation>%1 geht nicht zu %2: %3.</translation>
    </message>
    <message>
        <source>%1 does not go to %2: it has no rule for the op.</source>
        <translation>%1 geht nicht zu %2: es hat keine Regel für den Operator.</translation>
    </message>
    <message>
        <source>%1 goes to %2: you assigned it.</source>
        <translation>%1 geht zu %2, weil Sie es so gesagt haben.</translation>
    </message>
    <message>
        <source>%1 goes to %2, where its operands go.</source>
        <translation>%1 geht zu %2, wohin auch seine Operanden gehen.</translation>
    </message>
    <message>
        <source>%1 goes back to default: %2.</source>
        <translation>%1 geht zurück zu default: %2.</translation>
    </message>
    <message>
        <source>merging has not run yet</source>
        <translation>das Verschmelzen ist noch nicht gelaufen</translation>
    </message>
    <message>
        <source>%1 stays on default: no backend has the name that its pattern %2 begins with.</source>
        <translation>%1 bleibt auf default: kein Backend heißt so, wie sein Muster %2 beginnt.</translation>
    </message>
    <message>
        <source>%1 does not go to %2: rules apply to operators only, and it calls a function.</source>
        <translation>%1 geht nicht zu %2: Regeln gelten für Operatoren, und dies ruft eine Funktion.</translation>
    </message>
    <message>
        <source>together they would have %1 inputs, at most 1 is allowed</source>
        <translation>zusammen hätten sie %1 Eingänge, höchstens 1 ist erlaubt</translation>
    </message>
    <message>
        <source>together they would have %1 inputs, at most %2 are allowed</source>
        <translation>zusammen hätten sie %1 Eingänge, höchstens %2 sind erlaubt</translation>
    </message>
    <message>
        <source>together they would have %1 outputs, at most 1 is allowed</source>
        <translation>zusammen hätten sie %1 Ausgänge, höchstens 1 ist erlaubt</translation>
    </message>
    <message>
        <source>together they would have %1 outputs, at most %2 are allowed</source>
        <translation>zusammen hätten sie %1 Ausgänge, höchstens %2 sind erlaubt</translation>
    </message>
    <message>
        <source>its region %1, and %2, and %3, and %4</source>
        <translation>seine Region %1, %2, %3 und %4</translation>
    </message>
    <message>
        <source>its region %1, and %2, and %3</source>
        <translation>seine Region %1, %2 und %3</translation>
    </message>
    <message>
        <source>its region %1, and %2</source>
        <translation>seine Region %1 und %2</translation>
    </message>
    <message>
        <source>its region %1</source>
        <translation>seine Region %1</translation>
    </message>
    <message>
        <source>has 1 call, at least %1 are required</source>
        <translation>hat 1 Aufruf (mindestens %1 sind verlangt)</translation>
    </message>
    <message>
        <source>has %1 calls, at least 1 is required</source>
        <translation>hat %1 Aufrufe (mindestens 1 ist verlangt)</translation>
    </message>
    <message>
        <source>has %1 calls, at least %2 are required</source>
        <translation>hat %1 Aufrufe (mindestens %2 sind verlangt)</translation>
    </message>
    <message>
        <source>takes %1 operations, at least %2 are required</source>
        <translation>braucht %1 Rechenoperationen (mindestens %2 sind verlangt)</translation>
    </message>
    <message>
        <source>has %1 inputs, at most 1 is allowed</source>
        <translation>hat %1 Eingänge (höchstens 1 ist erlaubt)</translation>
    </message>
    <message>
        <source>has %1 inputs, at most %2 are allowed</source>
        <translation>hat %1 Eingänge (höchstens %2 sind erlaubt)</translation>
    </message>
    <message>
        <source>has %1 outputs, at most 1 is allowed</source>
        <translation>hat %1 Ausgänge (höchstens 1 ist erlaubt)</translation>
    </message>
    <message>
        <source>has %1 outputs, at most %2 are allowed</source>
        <translation>hat %1 Ausgänge (höchstens %2 sind erlaubt)</translation>
    </message>
    <message>
        <source>you keep them apart</source>
        <translation>Sie halten sie getrennt</translation>
    </message>
    <message>
        <source>the regions are in different functions or branches</source>
        <translation>die Regionen liegen in verschiedenen Funktionen oder Zweigen</translation>
    </message>
    <message>
        <source>they could be merged, but at first %1 and %2 were in one region with one of them, which depended on itself through %3 and was split; the earlier decision still holds: a path then led from %4 to %5, which were in the regions of the two, through %6</source>
        <translation>sie könnten verschmolzen werden, aber zuerst waren %1 und %2 mit einer von ihnen in einer Region, die über %3 von sich selbst abhing und zerlegt wurde; die frühere Entscheidung gilt weiter: damals führte ein Pfad von %4 nach %5, die in den Regionen der beiden lagen: über %6</translation>
    </message>
    <message>
        <source>%1 of constants became a constant</source>
        <translation>%1 von Konstanten wurde zu einer Konstante</translation>
    </message>
    <message>
        <source>nn.batch_norm became a multiplication and an addition</source>
        <translation>nn.batch_norm wurde zu einer Multiplikation und einer Addition</translation>
    </message>
    <message>
        <source>nn.dropout became its argument</source>
        <translation>nn.dropout wurde zu seinem Argument</translation>
    </message>
    <message>
        <source>nn.layer_norm became mean, variance and arithmetic</source>
        <translation>nn.layer_norm wurde zu Mittelwert, Varianz und Grundrechenarten</translation>
    </message>
    <message>
        <source>nn.group_norm became mean, variance and arithmetic</source>
        <translation>nn.group_norm wurde zu Mittelwert, Varianz und Grundrechenarten</translation>
    </message>
    <message>
        <source>the check is false: %1</source>
        <translation>die Prüfung ist falsch: %1</translation>
    </message>
    <message>
        <source>nn.instance_norm became mean, variance and arithmetic</source>
        <translation>nn.instance_norm wurde zu Mittelwert, Varianz und Rechenoperationen</translation>
    </message>
    <message>
        <source>you said so</source>
        <translation>Sie haben es so gesagt</translation>
    </message>
    <message>
        <source>it goes where its neighbours go</source>
        <translation>es geht dorthin, wohin seine Nachbarn gehen</translation>
    </message>
    <message>
        <source>the function is for %1</source>
        <translation>die Funktion ist für %1</translation>
    </message>
    <message>
        <source>it is part of %1</source>
        <translation>es ist Teil von %1</translation>
    </message>
    <message>
        <source>at %1: &apos;%2&apos; does not match: %3</source>
        <translation>bei %1: „%2“ passt nicht: %3</translation>
    </message>
    <message>
        <source>they are one region</source>
        <translation>sie sind eine Region</translation>
    </message>
    <message>
        <source>the second uses no value of the first</source>
        <translation>die zweite benutzt keinen Wert der ersten</translation>
    </message>
    <message>
        <source>they go to different backends, %1 and %2</source>
        <translation>sie gehen zu verschiedenen Backends, %1 und %2</translation>
    </message>
    <message>
        <source>together they would depend on themselves: a path leads out and back in through %1</source>
        <translation>zusammen hingen sie von sich selbst ab: ein Weg führt hinaus und wieder hinein, über %1</translation>
    </message>
    <message>
        <source>they could be merged, but calls on default are taken together as regions too, and through those a path leads out and back in: %1</source>
        <translation>sie könnten verbunden werden, aber auch Aufrufe bei default werden zu Regionen, und durch diese führt ein Weg hinaus und wieder hinein: %1</translation>
    </message>
    <message>
        <source>a constant</source>
        <translation>eine Konstante</translation>
    </message>
    <message>
        <source>the constant %1</source>
        <translation>die Konstante %1</translation>
    </message>
    <message>
        <source>it does not match</source>
        <translation>es passt nicht</translation>
    </message>
    <message>
        <source>it has no attributes</source>
        <translation>es hat keine Attribute</translation>
    </message>
    <message>
        <source>it has no attribute %1</source>
        <translation>es hat kein Attribut %1</translation>
    </message>
    <message>
        <source>its %1 is %2</source>
        <translation>sein Attribut %1 ist %2</translation>
    </message>
    <message>
        <source>a call of %1</source>
        <translation>ein Aufruf von %1</translation>
    </message>
    <message>
        <source>a call of the composite %1</source>
        <translation>ein Aufruf der zusammengesetzten Funktion %1</translation>
    </message>
    <message>
        <source>the variable %1</source>
        <translation>die Variable %1</translation>
    </message>
    <message>
        <source>the operator %1</source>
        <translation>der Operator %1</translation>
    </message>
    <message>
        <source>a tuple of %1</source>
        <translation>ein Tupel aus %1</translation>
    </message>
    <message>
        <source>field %1 of a tuple</source>
        <translation>Feld %1 eines Tupels</translation>
    </message>
    <message>
        <source>a function</source>
        <translation>eine Funktion</translation>
    </message>
    <message>
        <source>another kind of expression</source>
        <translation>ein Ausdruck anderer Art</translation>
    </message>
    <message>
        <source>not all paths to it come from &apos;%1&apos;</source>
        <translation>nicht alle Pfade zu ihm kommen von „%1“</translation>
    </message>
    <message>
        <source>not all paths to it come from &apos;%1&apos; through &apos;%2&apos;</source>
        <translation>nicht alle Pfade zu ihm kommen von „%1“ über „%2“</translation>
    </message>
    <message>
        <source>it has to be the same expression as another part of the pattern</source>
        <translation>es muss derselbe Ausdruck sein wie ein anderer Teil des Musters</translation>
    </message>
    <message>
        <source>its type is %1</source>
        <translation>sein Typ ist %1</translation>
    </message>
    <message>
        <source>expected a constant, found %1</source>
        <translation>erwartet ist eine Konstante, gefunden wurde %1</translation>
    </message>
    <message>
        <source>it is %1</source>
        <translation>es ist %1</translation>
    </message>
    <message>
        <source>nn.l2_normalize became a division by a root</source>
        <translation>nn.l2_normalize wurde zu einer Division durch eine Wurzel</translation>
    </message>
    <message>
        <source>it calls the composite %1, which goes to the backend that its name begins with</source>
        <translation>es ruft die zusammengesetzte Funktion %1, die zu dem Backend geht, mit dessen Namen sie beginnt</translation>
    </message>
    <message>
        <source>it calls a function, and rules are for operators</source>
        <translation>es ruft eine Funktion, und Regeln gelten für Operatoren</translation>
    </message>
    <message>
        <source>%1 has no attribute %2</source>
        <translation>%1 hat kein Attribut %2</translation>
    </message>
    <message>
        <source>%1 does not fit the attribute %2</source>
        <translation>%1 passt nicht zum Attribut %2</translation>
    </message>
    <message>
        <source>only an operator can be replaced by another</source>
        <translation>nur ein Operator lässt sich durch einen anderen ersetzen</translation>
    </message>
    <message>
        <source>%1 needs the attribute %2</source>
        <translation>%1 braucht das Attribut %2</translation>
    </message>
    <message>
        <source>`%1` is not a valid name</source>
        <translation>`%1` ist kein Name</translation>
    </message>
    <message>
        <source>there is a parameter %1 already</source>
        <translation>einen Parameter %1 gibt es schon</translation>
    </message>
    <message>
        <source>there is no function %1</source>
        <translation>eine Funktion %1 gibt es nicht</translation>
    </message>
    <message>
        <source>there is a function %1 already</source>
        <translation>eine Funktion %1 gibt es schon</translation>
    </message>
    <message>
        <source>only a parameter has a type of its own</source>
        <translation>nur ein Parameter hat einen eigenen Typ</translation>
    </message>
    <message>
        <source>that is not a function</source>
        <translation>das ist keine Funktion</translation>
    </message>
    <message>
        <source>the function has no attribute %1</source>
        <translation>die Funktion hat kein Attribut %1</translation>
    </message>
    <message>
        <source>a module has at least one function</source>
        <translation>ein Modul hat mindestens eine Funktion</translation>
    </message>
    <message>
        <source>the result would depend on itself</source>
        <translation>das Ergebnis hinge von sich selbst ab</translation>
    </message>
    <message>
        <source>%1 is not visible there</source>
        <translation>%1 ist dort nicht sichtbar</translation>
    </message>
    <message>
        <source>there is no such expression</source>
        <translation>diesen Ausdruck gibt es nicht</translation>
    </message>
    <message>
        <source>only a call of a function can be inlined</source>
        <translation>nur der Aufruf einer Funktion lässt sich einsetzen</translation>
    </message>
    <message>
        <source>%1 calls itself, so it can&apos;t be inlined</source>
        <translation>%1 ruft sich selbst auf, lässt sich also nicht einsetzen</translation>
    </message>
    <message>
        <source>the call has a different number of arguments</source>
        <translation>der Aufruf hat eine andere Anzahl von Argumenten</translation>
    </message>
    <message>
        <source>there is no such operator</source>
        <translation>diesen Operator gibt es nicht</translation>
    </message>
    <message>
        <source>nothing can be inserted there</source>
        <translation>dort lässt sich nichts einfügen</translation>
    </message>
    <message>
        <source>the expression is not in a function</source>
        <translation>der Ausdruck steht in keiner Funktion</translation>
    </message>
    <message>
        <source>the text has several functions and none is @main</source>
        <translation>der Text hat mehrere Funktionen, und keine ist @main</translation>
    </message>
    <message>
        <source>the text takes %1 inputs, but %2 are selected</source>
        <translation>der Text nimmt %1 Eingaben, aber %2 sind gewählt</translation>
    </message>
    <message>
        <source>select what the text should follow</source>
        <translation>wählen Sie, worauf der Text folgen soll</translation>
    </message>
    <message>
        <source>it has no operand that could replace it</source>
        <translation>kein Operand kann an seine Stelle treten</translation>
    </message>
    <message>
        <source>a constant is removed with its last user</source>
        <translation>eine Konstante geht mit dem Letzten, der sie benutzt</translation>
    </message>
    <message>
        <source>this can&apos;t be removed</source>
        <translation>das lässt sich nicht herausnehmen</translation>
    </message>
    <message>
        <source>%1 is still used</source>
        <translation>%1 wird noch benutzt</translation>
    </message>
    <message>
        <source>only a parameter of a global function can be removed</source>
        <translation>nur ein Parameter einer globalen Funktion lässt sich entfernen</translation>
    </message>
    <message>
        <source>this operand can&apos;t be replaced</source>
        <translation>dieser Operand lässt sich nicht ersetzen</translation>
    </message>
    <message>
        <source>only calls, tuples and projections can go into a function</source>
        <translation>nur Aufrufe, Tupel und Projektionen können in eine Funktion</translation>
    </message>
    <message>
        <source>select the operators first</source>
        <translation>wählen Sie zuerst die Operatoren</translation>
    </message>
    <message>
        <source>the selection lies in several functions</source>
        <translation>die Auswahl liegt in mehreren Funktionen</translation>
    </message>
    <message>
        <source>the selection would depend on itself: %1 uses something outside that uses the selection</source>
        <translation>die Auswahl hinge von sich selbst ab: %1 benutzt etwas außerhalb, das die Auswahl benutzt</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keiner</translation>
    </message>
    <message>
        <source>a tuple</source>
        <translation>ein Tupel</translation>
    </message>
    <message>
        <source>field %1</source>
        <translation>Feld %1</translation>
    </message>
    <message>
        <source>an expression</source>
        <translation>ein Ausdruck</translation>
    </message>
    <message>
        <source>a call</source>
        <translation>ein Aufruf</translation>
    </message>
    <message>
        <source>value: %1 → %2</source>
        <translation>Wert: %1 → %2</translation>
    </message>
    <message>
        <source>name: %1 → %2</source>
        <translation>Name: %1 → %2</translation>
    </message>
    <message>
        <source>backend: %1 → %2</source>
        <translation>Backend: %1 → %2</translation>
    </message>
    <message>
        <source>type: %1 → %2</source>
        <translation>Typ: %1 → %2</translation>
    </message>
    <message>
        <source>operator: %1 → %2</source>
        <translation>Operator: %1 → %2</translation>
    </message>
    <message>
        <source>another value</source>
        <translation>ein anderer Wert</translation>
    </message>
    <message>
        <source>field: %1 → %2</source>
        <translation>Feld: %1 → %2</translation>
    </message>
    <message>
        <source>input %1: %2 → %3</source>
        <translation>Eingang %1: %2 → %3</translation>
    </message>
    <message>
        <source>now in one region with input %1 (%2)</source>
        <translation>jetzt in einer Region mit Eingang %1 (%2)</translation>
    </message>
    <message>
        <source>no longer in one region with input %1 (%2)</source>
        <translation>nicht mehr in einer Region mit Eingang %1 (%2)</translation>
    </message>
    <message>
        <source>@%1 output %2: %3 → %4</source>
        <translation>@%1 Ausgang %2: %3 → %4</translation>
    </message>
    <message>
        <source>%1: not annotated in the file</source>
        <translation>%1: in der Datei nicht annotiert</translation>
    </message>
    <message>
        <source>not annotated in the file</source>
        <translation>in der Datei nicht annotiert</translation>
    </message>
    <message>
        <source>annotated so in the file</source>
        <translation>so in der Datei annotiert</translation>
    </message>
    <message>
        <source>%1 of %2 regions ran on %3, %4 fell back to default</source>
        <translation>%1 von %2 Regionen liefen auf %3, %4 fielen auf default zurück</translation>
    </message>
    <message>
        <source>1 region of %1 ran on default</source>
        <translation>1 Region von %1 lief auf default</translation>
    </message>
    <message>
        <source>%1 regions of %2 ran on default</source>
        <translation>%1 Regionen von %2 liefen auf default</translation>
    </message>
    <message>
        <source>1 region ran on %1</source>
        <translation>1 Region lief auf %1</translation>
    </message>
    <message>
        <source>%1 regions ran on %2</source>
        <translation>%1 Regionen liefen auf %2</translation>
    </message>
    <message>
        <source>partitioned so in the file</source>
        <translation>so in der Datei partitioniert</translation>
    </message>
    <message>
        <source>%1: its check</source>
        <translation>%1: seine Prüfung</translation>
    </message>
    <message>
        <source>%1, 1 match</source>
        <translation>%1, 1 Treffer</translation>
    </message>
    <message>
        <source>%1, %2 matches</source>
        <translation>%1, %2 Treffer</translation>
    </message>
    <message>
        <source>lower %1 to %2</source>
        <translation>%1 auf %2 senken</translation>
    </message>
    <message>
        <source>drop %1</source>
        <translation>ohne %1</translation>
    </message>
    <message>
        <source>raise %1 to %2</source>
        <translation>%1 auf %2 anheben</translation>
    </message>
    <message>
        <source>%1: %2 → %3</source>
        <translation>%1: %2 → %3</translation>
    </message>
    <message>
        <source>%1: %2 → %3, a new rule</source>
        <translation>%1: %2 → %3, eine neue Regel</translation>
    </message>
    <message>
        <source>it expects %1 after %2; here nothing is</source>
        <translation>es erwartet %1 nach %2; hier ist nichts</translation>
    </message>
    <message>
        <source>it expects %1 after %2; here is %3</source>
        <translation>es erwartet %1 nach %2; hier ist %3</translation>
    </message>
    <message>
        <source>nothing in this graph calls %1</source>
        <translation>nichts in diesem Graphen ruft %1 auf</translation>
    </message>
    <message>
        <source>nothing in this graph calls %1; after %2 it expects %3, there is %4</source>
        <translation>nichts in diesem Graphen ruft %1 auf; nach %2 erwartet es %3, dort ist %4</translation>
    </message>
    <message>
        <source>nothing in this graph calls %1; after %2 it expects %3, there is %4, %5 times</source>
        <translation>nichts in diesem Graphen ruft %1 auf; nach %2 erwartet es %3, dort ist %5-mal %4</translation>
    </message>
    <message>
        <source>it was not asked: its rules are a program, which did not run</source>
        <translation>es wurde nicht gefragt: seine Regeln sind ein Programm, das nicht lief</translation>
    </message>
    <message>
        <source>the annotator accepts it</source>
        <translation>das Programm nimmt ihn an</translation>
    </message>
    <message>
        <source>the check is false: %1%2</source>
        <translation>die Prüfung ist falsch: %1%2</translation>
    </message>
    <message>
        <source>%1: costs least on default</source>
        <translation>%1: kostet auf default am wenigsten</translation>
    </message>
    <message>
        <source>its region %1, and %2, and %3, and %4, and %5</source>
        <translation>seine Region %1, %2, %3, %4 und %5</translation>
    </message>
    <message>
        <source>reads %1 bytes of weights, at most %2 are allowed</source>
        <translation>liest %1 Byte Gewichte, höchstens %2 sind erlaubt</translation>
    </message>
    <message>
        <source>it reads %1 bytes of weights, and the backend has %2 of %3 left; calls with more work for each byte come first</source>
        <translation>er liest %1 Byte Gewichte, und das Backend hat noch %2 von %3 frei; Aufrufe mit mehr Arbeit je Byte kommen zuerst</translation>
    </message>
    <message>
        <source>together they would read %1 bytes of weights, at most 1 is allowed</source>
        <translation>zusammen läsen sie %1 Byte Gewichte, höchstens 1 ist erlaubt</translation>
    </message>
    <message>
        <source>together they would read %1 bytes of weights, at most %2 are allowed</source>
        <translation>zusammen läsen sie %1 Byte Gewichte, höchstens %2 sind erlaubt</translation>
    </message>
    <message>
        <source>its region %1, and %2, and %3, and %4, and %5, and %6</source>
        <translation>seine Region %1, %2, %3, %4, %5 und %6</translation>
    </message>
    <message>
        <source>holds %1 bytes at once, at most %2 are allowed</source>
        <translation>hält %1 Byte zugleich, höchstens %2 sind erlaubt</translation>
    </message>
    <message>
        <source>together they would hold %1 bytes at once, at most 1 is allowed</source>
        <translation>zusammen hielten sie %1 Byte zugleich, höchstens 1 ist erlaubt</translation>
    </message>
    <message>
        <source>together they would hold %1 bytes at once, at most %2 are allowed</source>
        <translation>zusammen hielten sie %1 Byte zugleich, höchstens %2 sind erlaubt</translation>
    </message>
    <message>
        <source>The region of %1 is merged into the region of %2.</source>
        <translation>Die Region von %1 wird mit der von %2 verschmolzen.</translation>
    </message>
    <message>
        <source>%1 is not merged with %2: %3.</source>
        <translation>%1 wird nicht mit %2 verschmolzen: %3.</translation>
    </message>
    <message>
        <source>%1 is not merged with %2: they go to different backends.</source>
        <translation>%1 wird nicht mit %2 verschmolzen: sie gehen zu verschiedenen Backends.</translation>
    </message>
    <message>
        <source>The region of %1 must not be merged into the region of %2: the merged region would depend on itself through %3.</source>
        <translation>Die Region von %1 darf nicht mit der von %2 verschmolzen werden: Die verschmolzene Region hinge über %3 von sich selbst ab.</translation>
    </message>
    <message>
        <source>The region of %1 is not merged into the region of %2: %3.</source>
        <translation>Die Region von %1 wird nicht mit der von %2 verschmolzen: %3.</translation>
    </message>
    <message>
        <source>The region of %1 becomes @%2.</source>
        <translation>Die Region von %1 wird zu @%2.</translation>
    </message>
    <message>
        <source>An input of a region, %1, is put into its function.</source>
        <translation>Eine Eingabe einer Region, %1, kommt in deren Funktion.</translation>
    </message>
    <message>
        <source>standard normal numbers</source>
        <translation>standardnormalverteilte Zahlen</translation>
    </message>
    <message>
        <source>numbers from %1 to %2</source>
        <translation>Zahlen von %1 bis %2</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 oder %2</translation>
    </message>
    <message>
        <source>whole numbers from %1 to %2</source>
        <translation>ganze Zahlen von %1 bis %2</translation>
    </message>
    <message>
        <source>in %1 of %2 blocks</source>
        <translation>in %1 von %2 Blöcken</translation>
    </message>
    <message>
        <source>%1 in each of %2 blocks</source>
        <translation>%1 in jedem von %2 Blöcken</translation>
    </message>
    <message>
        <source>%1 in each of %2 blocks, %3 more</source>
        <translation>%1 in jedem von %2 Blöcken, %3 weitere</translation>
    </message>
    <message>
        <source>in block %1 of %2</source>
        <translation>in Block %1 von %2</translation>
    </message>
    <message>
        <source>in each of %1 blocks</source>
        <translation>in jedem von %1 Blöcken</translation>
    </message>
    <message>
        <source>nn.attention became products, a softmax and arithmetic</source>
        <translation>nn.attention wurde zu Produkten, einem Softmax und Arithmetik</translation>
    </message>
    <message>
        <source>nn.rms_norm became mean and arithmetic</source>
        <translation>nn.rms_norm wurde zu Mittelwert und Arithmetik</translation>
    </message>
    <message>
        <source>nn.rotary_embedding became slices and arithmetic</source>
        <translation>nn.rotary_embedding wurde zu Ausschnitten und Arithmetik</translation>
    </message>
    <message>
        <source>nn.linear_attention became arithmetic, row after row</source>
        <translation>nn.linear_attention wurde zu Arithmetik, Zeile für Zeile</translation>
    </message>
    <message>
        <source>linalg.det became products and a sum</source>
        <translation>linalg.det wurde zu Produkten und einer Summe</translation>
    </message>
    <message>
        <source>nn.expert_dense became products of all experts, of which those chosen are taken</source>
        <translation>nn.expert_dense wurde zu Produkten aller Experten, von denen die gewählten genommen werden</translation>
    </message>
    <message>
        <source>the placement by time puts it there</source>
        <translation>die Platzierung nach Zeit setzt es dorthin</translation>
    </message>
    <message>
        <source>%1 goes to %2: the placement by time puts it there.</source>
        <translation>%1 geht an %2: Die Platzierung nach Zeit setzt es dorthin.</translation>
    </message>
    <message>
        <source>there is an output %1 already</source>
        <translation>es gibt schon eine Ausgabe %1</translation>
    </message>
    <message>
        <source>%1, in one region with %2</source>
        <translation>%1, in einer Region mit %2</translation>
    </message>
    <message>
        <source>%1: an expression inside is used elsewhere</source>
        <translation>%1: ein Ausdruck darin wird anderswo verwendet</translation>
    </message>
    <message>
        <source>%1: another match of it has a part</source>
        <translation>%1: ein anderer Fund davon hat einen Teil</translation>
    </message>
    <message>
        <source>you gave it %1, and the whole composite goes along</source>
        <translation>Sie haben ihm %1 gegeben, und das ganze Composite geht mit</translation>
    </message>
    <message>
        <source>%1 took it before %2 was asked: patterns come before rules</source>
        <translation>%1 nahm es, bevor %2 gefragt wurde: Muster kommen vor Regeln</translation>
    </message>
    <message>
        <source>its function is not divided, so %1 was not asked</source>
        <translation>seine Funktion wird nicht aufgeteilt, also wurde %1 nicht gefragt</translation>
    </message>
    <message>
        <source>%1 accepted it before %2 was asked</source>
        <translation>%1 nahm es an, bevor %2 gefragt wurde</translation>
    </message>
    <message>
        <source>calls were not placed, so %1 was not asked</source>
        <translation>Aufrufe wurden nicht zugeteilt, also wurde %1 nicht gefragt</translation>
    </message>
    <message>
        <source>it matches, but %1 inside is already part of %2</source>
        <translation>es passt, aber %1 darin gehört schon zu %2</translation>
    </message>
    <message>
        <source>it matches, but the placement by cost gives not all of it to the backend</source>
        <translation>es passt, aber die Zuteilung nach Kosten gibt dem Backend nicht alles davon</translation>
    </message>
    <message>
        <source>%1 inside is part of another match of the pattern</source>
        <translation>%1 darin gehört zu einem anderen Fund des Musters</translation>
    </message>
    <message>
        <source>its patterns were not asked: the composite pass did not run</source>
        <translation>seine Muster wurden nicht gefragt: der Composite-Pass lief nicht</translation>
    </message>
    <message>
        <source>no recorded decision explains this: it is a fault of the program; please report it with the file, the backends and what explain --json prints</source>
        <translation>keine aufgezeichnete Entscheidung erklärt das: Es ist ein Fehler des Programms; bitte melden Sie ihn mit der Datei, den Backends und der Ausgabe von explain --json</translation>
    </message>
    <message>
        <source>the file has made functions of both already, which stay as they are</source>
        <translation>die Datei hat aus beiden schon Funktionen gemacht, die bleiben, wie sie sind</translation>
    </message>
    <message>
        <source>the file has made a function of one of them already, which stays as it is</source>
        <translation>die Datei hat aus einer von beiden schon eine Funktion gemacht, die bleibt, wie sie ist</translation>
    </message>
    <message>
        <source>they were merged, but the tuple at the end of the region was split into its values again</source>
        <translation>sie wurden verschmolzen, aber das Tupel am Ende der Region wurde wieder in seine Werte zerlegt</translation>
    </message>
    <message>
        <source>they could be merged now, but when this was decided, a path led out and back in through %1</source>
        <translation>sie könnten jetzt verschmolzen werden, aber als das entschieden wurde, führte ein Weg hinaus und wieder hinein über %1</translation>
    </message>
    <message>
        <source>the value passes through %1, and no region extends across a variable of let</source>
        <translation>der Wert geht durch %1, und keine Region reicht über eine Variable von let hinweg</translation>
    </message>
    <message>
        <source>%1 → … (%2 expressions)</source>
        <translation>%1 → … (%2 Ausdrücke)</translation>
    </message>
    <message>
        <source>an expression inside is used elsewhere, by %1</source>
        <translation>ein Ausdruck darin wird anderswo verwendet, von %1</translation>
    </message>
    <message>
        <source>%1 goes to %2: you assigned %3, which is inside its composite.</source>
        <translation>%1 geht an %2: Sie haben %3 zugewiesen, das in seinem Composite liegt.</translation>
    </message>
    <message>
        <source>%1 is not merged with %2: one of them calls a function that the file has divided already, which stays as it is.</source>
        <translation>%1 wird nicht mit %2 verschmolzen: Eines von beiden ruft eine Funktion, die die Datei schon abgeteilt hat und die bleibt, wie sie ist.</translation>
    </message>
    <message>
        <source>%1 passes through @%2 unchanged: a tuple at the end of a region is split, and this value of it comes from elsewhere.</source>
        <translation>%1 geht unverändert durch @%2: Ein Tupel am Ende einer Region wird zerlegt, und dieser Wert darin kommt von anderswo.</translation>
    </message>
    <message>
        <source>the backend&apos;s rules keep them apart</source>
        <translation>die Regeln des Backends halten sie getrennt</translation>
    </message>
    <message>
        <source>it matches, but the partitioner %1 does not put all of it into one region of the backend</source>
        <translation>es passt, aber der Partitionierer %1 setzt nicht alles davon in eine Region des Backends</translation>
    </message>
    <message>
        <source>the partitioner %1 recorded no reason</source>
        <translation>der Partitionierer %1 hat keinen Grund aufgezeichnet</translation>
    </message>
    <message>
        <source>%1 and %2 are in different regions: %3.</source>
        <translation>%1 und %2 sind in verschiedenen Regionen: %3.</translation>
    </message>
    <message>
        <source>%1 is in no region: %2.</source>
        <translation>%1 ist in keiner Region: %2.</translation>
    </message>
    <message>
        <source>they were in one region, which depended on itself: %1 is behind what leaves it, %2 is not, and the region was cut between these two</source>
        <translation>sie waren in einer Region, die von sich selbst abhing: %1 liegt hinter dem, was sie verlässt, %2 nicht, und die Region wurde zwischen diesen beiden getrennt</translation>
    </message>
    <message>
        <source>each call is a region of its own</source>
        <translation>jeder Aufruf ist eine eigene Region</translation>
    </message>
    <message>
        <source>the file of the division puts them apart</source>
        <translation>die Datei der Aufteilung trennt sie</translation>
    </message>
    <message>
        <source>they are in different runs of the file&apos;s order: %1 stands between them and goes elsewhere</source>
        <translation>sie sind in verschiedenen Abschnitten der Reihenfolge der Datei: %1 steht dazwischen und geht anderswohin</translation>
    </message>
    <message>
        <source>the provider takes single nodes, without groups</source>
        <translation>der Provider nimmt einzelne Knoten, ohne Gruppen</translation>
    </message>
    <message>
        <source>they are in different waves of the provider: %1 comes after %2, which the provider does not take and which uses %3 of an earlier group</source>
        <translation>sie sind in verschiedenen Wellen des Providers: %1 kommt nach %2, das der Provider nicht nimmt und das %3 aus einer früheren Gruppe verwendet</translation>
    </message>
    <message>
        <source>an epoch takes all that is ready: %1 was not ready yet when the epoch of %2 ended, for it waits for what the delegate does not take</source>
        <translation>eine Epoche nimmt alles, was bereit ist: %1 war noch nicht bereit, als die Epoche von %2 endete, denn es wartet auf etwas, das der Delegate nicht nimmt</translation>
    </message>
    <message>
        <source>an epoch ends at the first node that it can&apos;t take: that of %2 ended before %1</source>
        <translation>eine Epoche endet am ersten Knoten, den sie nicht nehmen kann: die von %2 endete vor %1</translation>
    </message>
    <message>
        <source>its epoch is not among those that are delegated: the largest ones, as the options n and min-nodes say</source>
        <translation>seine Epoche ist nicht unter denen, die delegiert werden: den größten, wie die Optionen n und min-nodes es sagen</translation>
    </message>
    <message>
        <source>%1 is outside their partitions, needs one of them and is needed by one of them: as one partition they would wait for themselves</source>
        <translation>%1 liegt außerhalb ihrer Partitionen, braucht eine davon und wird von einer gebraucht: als eine Partition würden sie auf sich selbst warten</translation>
    </message>
    <message>
        <source>its partition has too few nodes that compute</source>
        <translation>seine Partition hat zu wenige Knoten, die rechnen</translation>
    </message>
    <message>
        <source>a pattern matches, but not in a dataflow block</source>
        <translation>ein Muster passt, aber nicht in einem Datenflussblock</translation>
    </message>
    <message>
        <source>a pattern matches, but %1 is taken by an earlier match</source>
        <translation>ein Muster passt, aber %1 gehört schon zu einem früheren Treffer</translation>
    </message>
    <message>
        <source>a pattern matches, but the match would wait for itself through %1; TVM fails there</source>
        <translation>ein Muster passt, aber der Treffer würde über %1 auf sich selbst warten; TVM scheitert dort</translation>
    </message>
    <message>
        <source>the argument&apos;s region is needed by another argument</source>
        <translation>ein anderes Argument braucht die Region dieses Arguments</translation>
    </message>
    <message>
        <source>the argument&apos;s region is needed by another argument, through %1</source>
        <translation>ein anderes Argument braucht die Region dieses Arguments, über %1</translation>
    </message>
    <message>
        <source>no pattern matches here, so that it is in no composite</source>
        <translation>kein Muster passt hier, also gehört es zu keiner zusammengesetzten Funktion</translation>
    </message>
    <message>
        <source>it is no argument of a composite of the same compiler: what stands between is in no composite</source>
        <translation>es ist kein Argument einer zusammengesetzten Funktion desselben Compilers: was dazwischen steht, gehört zu keiner</translation>
    </message>
    <message>
        <source>each region by itself: none differs from default, none was refused</source>
        <translation>jede Region für sich: keine weicht von default ab, keine wurde abgelehnt</translation>
    </message>
    <message>
        <source>each region by itself: %1 was refused</source>
        <translation>jede Region für sich: %1 wurde abgelehnt</translation>
    </message>
    <message>
        <source>each region by itself: %1 gives other values than default</source>
        <translation>jede Region für sich: %1 ergibt andere Werte als default</translation>
    </message>
    <message>
        <source>the region alone</source>
        <translation>die Region allein</translation>
    </message>
    <message>
        <source>the fault is not seen when the region runs alone: its operators can&apos;t be told apart</source>
        <translation>läuft die Region allein, zeigt sich der Fehler nicht: ihre Operatoren lassen sich nicht unterscheiden</translation>
    </message>
    <message>
        <source>none differs, the fault depends on what is fused</source>
        <translation>keiner weicht ab, der Fehler hängt davon ab, was verschmolzen wird</translation>
    </message>
    <message>
        <source>the region is refused so</source>
        <translation>so wird die Region abgelehnt</translation>
    </message>
    <message>
        <source>%1 is wrong though its inputs are right</source>
        <translation>%1 ist falsch, obwohl seine Eingaben richtig sind</translation>
    </message>
    <message>
        <source>every value of the region as an output: %1</source>
        <translation>jeder Wert der Region als Ausgabe: %1</translation>
    </message>
    <message>
        <source>%1: the fault shows</source>
        <translation>%1: der Fehler zeigt sich</translation>
    </message>
    <message>
        <source>%1: no fault</source>
        <translation>%1: kein Fehler</translation>
    </message>
    <message>
        <source>the first %1 operators</source>
        <translation>die ersten %1 Operatoren</translation>
    </message>
    <message>
        <source>the last %1 of these</source>
        <translation>die letzten %1 davon</translation>
    </message>
    <message>
        <source>without %1 of them</source>
        <translation>ohne %1 davon</translation>
    </message>
    <message>
        <source>the operators of %1 without their pattern</source>
        <translation>die Operatoren von %1 ohne ihr Muster</translation>
    </message>
    <message>
        <source>%1: no smaller part is refused</source>
        <translation>%1: kein kleinerer Teil wird abgelehnt</translation>
    </message>
    <message>
        <source>%1: no smaller part shows the fault</source>
        <translation>%1: kein kleinerer Teil zeigt den Fehler</translation>
    </message>
    <message>
        <source>%1: the fault shows in a region of it alone</source>
        <translation>%1: der Fehler zeigt sich in einer Region daraus allein</translation>
    </message>
    <message>
        <source>%1: no fault in a region of it alone</source>
        <translation>%1: in einer Region daraus allein kein Fehler</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>the file does not say why</source>
        <translation>die Datei sagt nicht, warum</translation>
    </message>
    <message>
        <source>%1 put it there; the file does not say why</source>
        <translation>%1 hat es dort hingelegt; die Datei sagt nicht, warum</translation>
    </message>
    <message>
        <source>%1 put it there</source>
        <translation>%1 hat es dort hingelegt</translation>
    </message>
    <message>
        <source>%1 put it there and says: %2</source>
        <translation>%1 hat es dort hingelegt und sagt: %2</translation>
    </message>
    <message>
        <source>the file does not say where it went; %1 says: %2</source>
        <translation>die Datei sagt nicht, wohin es ging; %1 sagt: %2</translation>
    </message>
    <message>
        <source>the file does not say where it went</source>
        <translation>die Datei sagt nicht, wohin es ging</translation>
    </message>
    <message>
        <source>inverted: %1</source>
        <translation>umgekehrt: %1</translation>
    </message>
    <message>
        <source>the budget of the provider ends before it</source>
        <translation>das Budget des Providers endet davor</translation>
    </message>
    <message>
        <source>its rules are about the file&apos;s operators, and none of them became this</source>
        <translation>seine Regeln gelten Operatoren der Datei, und keiner von ihnen wurde dazu</translation>
    </message>
    <message>
        <source>the division, as `divide --json` prints one</source>
        <translation>die Aufteilung, wie `divide --json` eine ausgibt</translation>
    </message>
    <message>
        <source>providers that take single nodes instead of compiling groups, such as CUDA</source>
        <translation>Provider, die einzelne Knoten nehmen, statt Gruppen zu übersetzen, etwa CUDA</translation>
    </message>
    <message>
        <source>whether a node with its DequantizeLinear before and its QuantizeLinear behind is asked for as one (QNN, NNAPI, XNNPACK)</source>
        <translation>ob ein Knoten mit DequantizeLinear davor und QuantizeLinear dahinter als einer erfragt wird (QNN, NNAPI, XNNPACK)</translation>
    </message>
    <message>
        <source>what session.resource_cuda_partitioning_settings is set to: CUDAExecutionProvider takes nodes, in order, up to the first that does not fit; KIB or FILE, its node statistics, may be empty, the comma is needed</source>
        <translation>worauf session.resource_cuda_partitioning_settings gesetzt ist: CUDAExecutionProvider nimmt Knoten der Reihe nach bis zum ersten, der nicht passt; KIB oder FILE, seine Knotenstatistik, darf leer sein, das Komma muss stehen</translation>
    </message>
    <message>
        <source>operators that a provider does not take, nor anything behind them</source>
        <translation>Operatoren, die ein Provider nicht nimmt, und auch nichts dahinter</translation>
    </message>
    <message>
        <source>whether a fused node has constants among its inputs (plug-in providers) or not (the others)</source>
        <translation>ob ein verschmolzener Knoten Konstanten unter seinen Eingaben hat (Provider als Plug-in) oder nicht (die anderen)</translation>
    </message>
    <message>
        <source>how many of the largest epochs are delegated</source>
        <translation>wie viele der größten Abschnitte delegiert werden</translation>
    </message>
    <message>
        <source>epochs of fewer nodes are not delegated</source>
        <translation>Abschnitte mit weniger Knoten werden nicht delegiert</translation>
    </message>
    <message>
        <source>a JSON object of numbers by nodes, such as times: the n epochs of the largest sums, not those of most nodes (no delegate of LiteRT counts so)</source>
        <translation>ein JSON-Objekt mit Zahlen zu Knoten, etwa Zeiten: die n Abschnitte mit den größten Summen, nicht die mit den meisten Knoten (so zählt kein Delegate von LiteRT)</translation>
    </message>
    <message>
        <source>whether an epoch takes what is ready, or ends at the first node that it can&apos;t take</source>
        <translation>ob ein Abschnitt nimmt, was bereit ist, oder beim ersten Knoten endet, den er nicht nehmen kann</translation>
    </message>
    <message>
        <source>whether constants of 16 bits are read as they are, behind a DEQUANTIZE (GPU, NNAPI, Core ML)</source>
        <translation>ob Konstanten von 16 Bit hinter einem DEQUANTIZE gelesen werden, wie sie sind (GPU, NNAPI, Core ML)</translation>
    </message>
    <message>
        <source>whether the runs are those of the file&apos;s order, or of the order that gives the fewest (no tool of LiteRT&apos;s reorders)</source>
        <translation>ob die Läufe die der Reihenfolge der Datei sind oder die der Reihenfolge mit den wenigsten (kein Werkzeug von LiteRT ordnet um)</translation>
    </message>
    <message>
        <source>which release&apos;s text is played</source>
        <translation>der Text welcher Ausgabe gespielt wird</translation>
    </message>
    <message>
        <source>whether nodes that don&apos;t use each other may be one partition (no: main only)</source>
        <translation>ob Knoten, die einander nicht benutzen, eine Partition sein dürfen (nein: nur main)</translation>
    </message>
    <message>
        <source>whether a partition of one computing node is kept</source>
        <translation>ob eine Partition aus einem rechnenden Knoten bleibt</translation>
    </message>
    <message>
        <source>operators that don&apos;t count as computing; a view, as 1.13 names it, and getitem never do</source>
        <translation>Operatoren, die nicht als rechnend zählen; ein view, wie 1.13 es nennt, und getitem tun es nie</translation>
    </message>
    <message>
        <source>operators that are worth a partition of their own</source>
        <translation>Operatoren, die eine eigene Partition wert sind</translation>
    </message>
    <message>
        <source>JSON: a list of lists of nodes that are to stay together</source>
        <translation>JSON: eine Liste von Listen von Knoten, die zusammenbleiben sollen</translation>
    </message>
    <message>
        <source>parts of fewer nodes are left to PyTorch; 5 if it is not given</source>
        <translation>Teile mit weniger Knoten bleiben bei PyTorch; 5, wenn nichts angegeben ist</translation>
    </message>
    <message>
        <source>torch.fx&apos;s splitter, or its CapabilityBasedPartitioner</source>
        <translation>der Splitter von torch.fx oder dessen CapabilityBasedPartitioner</translation>
    </message>
    <message>
        <source>whose rule for tuples: up to 0.25 a tuple ends a region, from 0.26 on it may be inside</source>
        <translation>wessen Regel für Tupel: bis 0.25 beendet ein Tupel eine Region, ab 0.26 darf es darin sein</translation>
    </message>
    <message>
        <source>whether each match is a region of its own (yes), or matches merge</source>
        <translation>ob jeder Treffer eine eigene Region ist (yes) oder Treffer verschmelzen</translation>
    </message>
    <message>
        <source>whether constants stay in a composite or become parameters of it</source>
        <translation>ob Konstanten in einem Verbund bleiben oder seine Parameter werden</translation>
    </message>
    <message>
        <source>its check is false</source>
        <translation>seine Prüfung ist falsch</translation>
    </message>
    <message>
        <source>the file has it in a composite for a compiler that is no backend here</source>
        <translation>die Datei hat es in einer zusammengesetzten Funktion für einen Compiler, der hier kein Backend ist</translation>
    </message>
    <message>
        <source>the division that was given leaves it out</source>
        <translation>die gegebene Aufteilung lässt ihn aus</translation>
    </message>
    <message>
        <source>the division that was given has it there</source>
        <translation>die gegebene Aufteilung hat ihn dort</translation>
    </message>
    <message>
        <source>%1 goes to %2: %3.</source>
        <translation>%1 geht zu %2: %3.</translation>
    </message>
    <message>
        <source>the division that was given, with the changes by hand, puts them apart</source>
        <translation>die gegebene Aufteilung mit den Änderungen von Hand trennt sie</translation>
    </message>
    <message>
        <source>%1 stands between them in the file, and became no call here</source>
        <translation>%1 steht in der Datei zwischen ihnen und wurde hier kein Aufruf</translation>
    </message>
    <message>
        <source>they are in different graphs of the file, as a loop&apos;s body is one</source>
        <translation>sie sind in verschiedenen Graphen der Datei, wie der Rumpf einer Schleife einer ist</translation>
    </message>
    <message>
        <source>it is a part of the file&apos;s node %1, which goes there as a whole</source>
        <translation>er ist ein Teil des Knotens %1 der Datei, der als Ganzes dorthin geht</translation>
    </message>
    <message>
        <source>the nodes of the file are divided, and this is none of them by itself</source>
        <translation>geteilt werden die Knoten der Datei, und dieser ist für sich allein keiner</translation>
    </message>
    <message>
        <source>PyTorch ended the search for this partition at %1 and did not come to the other</source>
        <translation>PyTorch hat die Suche für diese Partition bei %1 beendet und kam nicht zur anderen</translation>
    </message>
    <message>
        <source>%1 is not taken and comes between them: taken nodes and others are collected in turns</source>
        <translation>%1 ist nicht genommen und kommt dazwischen: genommene und andere Knoten werden abwechselnd gesammelt</translation>
    </message>
    <message>
        <source>it joined the partition of %1: of two that depend on each other PyTorch 1.13 takes one</source>
        <translation>er kam zur Partition von %1: von zweien, die voneinander abhängen, nimmt PyTorch 1.13 eine</translation>
    </message>
    <message>
        <source>PyTorch ended the search for this partition at an input or a weight and did not come to the other</source>
        <translation>PyTorch hat die Suche für diese Partition bei einer Eingabe oder einem Gewicht beendet und kam nicht zur anderen</translation>
    </message>
    <message>
        <source>a pattern matches, but %1 is given elsewhere by hand</source>
        <translation>ein Muster passt, aber %1 ist von Hand anderswohin gegeben</translation>
    </message>
    <message>
        <source>it is in a branch, which is no dataflow block</source>
        <translation>er ist in einem Zweig, der kein Dataflow-Block ist</translation>
    </message>
    <message>
        <source>as one region they would wait for themselves, so that it was taken apart</source>
        <translation>als eine Region würden sie auf sich selbst warten, so dass sie zerlegt wurde</translation>
    </message>
    <message>
        <source>a pattern matches, but the region of %1 exceeds the limits</source>
        <translation>ein Muster passt, aber die Region von %1 überschreitet die Grenzen</translation>
    </message>
    <message>
        <source>you gave other calls of the file&apos;s node %1 elsewhere: it goes to none</source>
        <translation>Sie haben andere Aufrufe des Knotens %1 der Datei anderswohin gegeben: er geht zu keinem</translation>
    </message>
    <message>
        <source>the file&apos;s node %1 goes as a whole, and %2 is not accepted</source>
        <translation>der Knoten %1 der Datei geht als Ganzes, und %2 wird nicht angenommen</translation>
    </message>
    <message>
        <source>qnn.requantize, which rounds halves to even here, became arithmetic</source>
        <translation>qnn.requantize, das hier Hälften zur geraden Zahl rundet, wurde zu Arithmetik</translation>
    </message>
    <message>
        <source>float16 for every float32 constant</source>
        <translation>float16 für jede float32-Konstante</translation>
    </message>
    <message>
        <source>float16 for the constants of %1</source>
        <translation>float16 für die Konstanten von %1</translation>
    </message>
    <message>
        <source>float16 for the constant %1</source>
        <translation>float16 für die Konstante %1</translation>
    </message>
</context>
<context>
    <name>Fields</name>
    <message>
        <source>%1… (too long to be changed here)</source>
        <translation>%1… (zu lang, um es hier zu ändern)</translation>
    </message>
</context>
<context>
    <name>Inputs</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n weiterer</numerusform>
            <numerusform>%n weitere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Functions</source>
        <translation>Funktionen</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Constants</source>
        <translation>Konstanten</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Rechenarbeit</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>Operatoren</translation>
    </message>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n Aufruf</numerusform>
            <numerusform>%n Aufrufe</numerusform>
        </translation>
    </message>
    <message>
        <source>Select an operator to see its attributes, types, and why it goes where it goes.</source>
        <translation>Einen Operator wählen, um seine Attribute und Typen zu sehen, und warum er dorthin geht, wohin er geht.</translation>
    </message>
    <message>
        <source>Coverage</source>
        <translation>Abdeckung</translation>
    </message>
    <message>
        <source>%1 of %2 calls (%3)</source>
        <translation>%1 von %2 Aufrufen (%3)</translation>
    </message>
    <message>
        <source>Regions</source>
        <translation>Regionen</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>Region</translation>
    </message>
    <message numerus="yes">
        <source>%n expression(s)</source>
        <translation>
            <numerusform>%n Ausdruck</numerusform>
            <numerusform>%n Ausdrücke</numerusform>
        </translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>Attribute</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>Used by</source>
        <translation>Benutzt von</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Nothing was decided yet: annotate, or give it to a backend.</source>
        <translation>Noch ist nichts entschieden: annotieren oder einem Backend geben.</translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>%n gewählt</numerusform>
            <numerusform>%n gewählt</numerusform>
        </translation>
    </message>
    <message>
        <source>other</source>
        <translation>andere</translation>
    </message>
    <message>
        <source>Backends</source>
        <translation>Backends</translation>
    </message>
    <message>
        <source>Press 0 to 9 to give them to a backend, A to leave them to the rules.</source>
        <translation>0 bis 9 gibt sie an ein Backend, A überlässt sie den Regeln.</translation>
    </message>
    <message>
        <source>It goes to %1, where its operands go.</source>
        <translation>Er geht zu %1, wohin seine Operanden gehen.</translation>
    </message>
    <message>
        <source>Rules apply to calls only.</source>
        <translation>Regeln werden nur zu Aufrufen gefragt.</translation>
    </message>
    <message>
        <source>The file&apos;s own annotations say so.</source>
        <translation>Die Annotationen der Datei sagen es so.</translation>
    </message>
    <message>
        <source>Rules were not asked: annotate lets them decide.</source>
        <translation>Die Regeln wurden nicht gefragt: Annotieren lässt sie entscheiden.</translation>
    </message>
    <message>
        <source>No backend is chosen.</source>
        <translation>Kein Backend ist gewählt.</translation>
    </message>
    <message>
        <source>It goes to %1</source>
        <translation>Er geht zu %1</translation>
    </message>
    <message>
        <source>It does not go to %1</source>
        <translation>Er geht nicht zu %1</translation>
    </message>
    <message>
        <source>%1: it is part of %2.</source>
        <translation>%1: er ist Teil von %2.</translation>
    </message>
    <message>
        <source>%1: %2 accepts it.</source>
        <translation>%1: %2 nimmt ihn an.</translation>
    </message>
    <message>
        <source>%1 of %2 accepts it, but it went elsewhere.</source>
        <translation>%1 von %2 nimmt ihn an, aber er ging anderswohin.</translation>
    </message>
    <message>
        <source>%1: %2 refuses it.</source>
        <translation>%1: %2 lehnt ihn ab.</translation>
    </message>
    <message>
        <source>pattern %1: %2</source>
        <translation>Muster %1: %2</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %n weiterer</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>or</source>
        <translation>oder</translation>
    </message>
    <message>
        <source>%1 is %2</source>
        <translation>%1 ist %2</translation>
    </message>
    <message>
        <source>Neighbouring regions</source>
        <translation>Benachbarte Regionen</translation>
    </message>
    <message>
        <source>%1 feeds it</source>
        <translation>%1 speist sie</translation>
    </message>
    <message>
        <source>It feeds %1</source>
        <translation>Sie speist %1</translation>
    </message>
    <message>
        <source>%1: they go to different backends.</source>
        <translation>%1: sie gehen zu verschiedenen Backends.</translation>
    </message>
    <message>
        <source>together they would depend on themselves, through</source>
        <translation>zusammen hingen sie von sich selbst ab, über</translation>
    </message>
    <message>
        <source>calls on default are taken together as regions too, and through those a path leads back in</source>
        <translation>auch Aufrufe bei default werden zu Regionen, und durch diese führt ein Weg zurück hinein</translation>
    </message>
    <message numerus="yes">
        <source>… (%n expression(s))</source>
        <translation>
            <numerusform>… (%n Ausdruck)</numerusform>
            <numerusform>… (%n Ausdrücke)</numerusform>
        </translation>
    </message>
    <message>
        <source>show the path</source>
        <translation>den Weg zeigen</translation>
    </message>
    <message>
        <source>pattern %1: it matches, but its check is false</source>
        <translation>Muster %1: es passt, aber seine Prüfung ist falsch</translation>
    </message>
    <message>
        <source>write one</source>
        <translation>eine schreiben</translation>
    </message>
    <message>
        <source>show the cycle</source>
        <translation>den Kreis zeigen</translation>
    </message>
    <message>
        <source>Patterns that do not fit</source>
        <translation>Muster, die nicht passen</translation>
    </message>
    <message>
        <source>(function call)</source>
        <translation>(Funktionsaufruf)</translation>
    </message>
    <message>
        <source>By its rules it would not go to %1</source>
        <translation>Nach seinen Regeln ginge er nicht zu %1</translation>
    </message>
    <message>
        <source>%1: the whole match of %2 went elsewhere.</source>
        <translation>%1: Die ganze Übereinstimmung mit %2 ging anderswohin.</translation>
    </message>
    <message>
        <source>By time</source>
        <translation>Nach Zeit</translation>
    </message>
    <message>
        <source>It is on %1. What a run takes more or less with it elsewhere, by the costs that were measured:</source>
        <translation>Er ist auf %1. Was ein Lauf nach den gemessenen Kosten mehr oder weniger braucht, wenn er anderswo ist:</translation>
    </message>
    <message>
        <source>No rule of %1 takes it.</source>
        <translation>Keine Regel von %1 nimmt ihn.</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n weiterer</numerusform>
            <numerusform>%n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 on %2: %3</source>
        <translation>%1 auf %2: %3</translation>
    </message>
    <message>
        <source>%1 between regions of %2: %3</source>
        <translation>%1 zwischen Regionen von %2: %3</translation>
    </message>
    <message>
        <source>%1 from %2 to %3: %4</source>
        <translation>%1 von %2 nach %3: %4</translation>
    </message>
    <message>
        <source>within the noise</source>
        <translation>im Rauschen</translation>
    </message>
    <message>
        <source>alone %1</source>
        <translation>allein %1</translation>
    </message>
    <message>
        <source>Move it</source>
        <translation>Verschieben</translation>
    </message>
    <message>
        <source>with others %1</source>
        <translation>mit anderen %1</translation>
    </message>
    <message>
        <source>Move with others</source>
        <translation>Mit anderen verschieben</translation>
    </message>
    <message>
        <source>now: %1</source>
        <translation>jetzt: %1</translation>
    </message>
    <message>
        <source>then: %1</source>
        <translation>dann: %1</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>%1 laid out anew for %2: %3</source>
        <translation>%1 für %2 neu angeordnet: %3</translation>
    </message>
    <message>
        <source>Moved alone, it changes nothing: the graph is divided as before.</source>
        <translation>Allein verschoben ändert es nichts: Der Graph ist aufgeteilt wie zuvor.</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>It goes to %1: the placement by time puts it there.</source>
        <translation>Es geht an %1: Die Platzierung nach Zeit setzt es dorthin.</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>It is in no region: %1.</source>
        <translation>Es ist in keiner Region: %1.</translation>
    </message>
    <message>
        <source>not kept</source>
        <translation>nicht erhalten</translation>
    </message>
    <message>
        <source>Patterns with such an operator</source>
        <translation>Muster mit einem solchen Operator</translation>
    </message>
    <message>
        <source>%1, as %2: %3 of %4 operators; %5</source>
        <translation>%1, als %2: %3 von %4 Operatoren; %5</translation>
    </message>
</context>
<context>
    <name>Prediction</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n weiterer</numerusform>
            <numerusform>%n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Region %1 is right: %2.</source>
        <translation>Region %1 stimmt: %2.</translation>
    </message>
    <message>
        <source>Taken by %1.</source>
        <translation>Geht an %1.</translation>
    </message>
    <message>
        <source>Not marked: %1 is a region of its own (%2). %3</source>
        <translation>Nicht markiert: %1 ist eine eigene Region (%2). %3</translation>
    </message>
    <message>
        <source>Not marked: %1 are a region (%2). %3</source>
        <translation>Nicht markiert: %1 sind eine Region (%2). %3</translation>
    </message>
    <message>
        <source>%1 belong together (%2), but stand in regions %3: all go to %4, edges join them, and no path leaves them and comes back.</source>
        <translation>%1 gehören zusammen (%2), stehen aber in den Regionen %3: alle gehen an %4, Kanten verbinden sie, und kein Weg führt hinaus und wieder hinein.</translation>
    </message>
    <message>
        <source>On default: %1. %2</source>
        <translation>Auf default: %1. %2</translation>
    </message>
    <message>
        <source>Region %1 is two: %2 (%3) and %4 (%5). %6</source>
        <translation>Region %1 sind zwei: %2 (%3) und %4 (%5). %6</translation>
    </message>
    <message>
        <source>A region has one backend: these go to %1 and %2.</source>
        <translation>Eine Region hat ein Backend: diese gehen an %1 und %2.</translation>
    </message>
    <message>
        <source>No edge joins them: regions grow along edges.</source>
        <translation>Keine Kante verbindet sie: Regionen wachsen entlang der Kanten.</translation>
    </message>
    <message>
        <source>Together they would depend on themselves: %1.</source>
        <translation>Zusammen hingen sie von sich selbst ab: %1.</translation>
    </message>
    <message>
        <source>Missing in region %1: %2, also taken by %3 and joined to the rest by edges.</source>
        <translation>In Region %1 fehlt: %2, ebenfalls von %3 genommen und durch Kanten mit dem Rest verbunden.</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>%1 nodes</source>
        <translation>%1 Knoten</translation>
    </message>
    <message>
        <source>Nodes %1–%2</source>
        <translation>Knoten %1–%2</translation>
    </message>
    <message>
        <source>Block %1</source>
        <translation>Block %1</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Block</translation>
    </message>
    <message>
        <source>%1, %2 alike</source>
        <translation>%1, %2 gleich</translation>
    </message>
    <message>
        <source>block %1</source>
        <translation>Block %1</translation>
    </message>
    <message>
        <source>%1 alike</source>
        <translation>%1 gleich</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>wired in another way</source>
        <translation>anders verbunden</translation>
    </message>
    <message>
        <source>%1 more %2</source>
        <translation>%1 %2 mehr</translation>
    </message>
    <message>
        <source>%1 fewer %2</source>
        <translation>%1 %2 weniger</translation>
    </message>
</context>
<context>
    <name>SavePath</name>
    <message>
        <source>%1 exists already. Replace it?</source>
        <translation>%1 gibt es schon. Ersetzen?</translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>See and change how a neural network is divided among compilers.</source>
        <translation>Sehen und ändern, wie ein neuronales Netz auf Compiler verteilt wird.</translation>
    </message>
    <message>
        <source>--%1 &apos;%2&apos;: expected %3</source>
        <translation>--%1 „%2“: erwartet ist %3</translation>
    </message>
    <message>
        <source>--time-first-picture needs a FILE</source>
        <translation>--time-first-picture braucht eine Datei (FILE)</translation>
    </message>
    <message>
        <source>no such command now: %1</source>
        <translation>diesen Befehl gibt es jetzt nicht: %1</translation>
    </message>
    <message>
        <source>can&apos;t write %1</source>
        <translation>%1 lässt sich nicht schreiben</translation>
    </message>
    <message>
        <source>Relay text, ONNX or a project to open, or a link (partita:...); two are compared</source>
        <translation>Relay-Text, ONNX oder ein Projekt zum Öffnen, oder ein Link (partita:...); zwei werden verglichen</translation>
    </message>
</context>
<context>
    <name>open_document</name>
    <message>
        <source>Modules (%1);;All files (*)</source>
        <translation>Module (%1);;Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>partita::AnnotatorStarter</name>
    <message>
        <source>Starting the rules of %1</source>
        <translation>Regeln von %1 starten</translation>
    </message>
    <message>
        <source>Reading rules</source>
        <translation>Regeln werden gelesen</translation>
    </message>
    <message>
        <source>Rules changed</source>
        <translation>Regeln geändert</translation>
    </message>
    <message>
        <source>Run it</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>It can do on this machine whatever you can. You are asked once for each content.</source>
        <translation>Es kann auf diesem Rechner alles, was Sie können. Für jeden Inhalt wird einmal gefragt.</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Jetzt nicht</translation>
    </message>
    <message>
        <source>The rules that ran stay as they are</source>
        <translation>Die bisherigen Regeln bleiben, wie sie sind</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt;, or a file that it imports, has a new text, which does not run yet.</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; oder eine Datei, die es importiert, hat einen neuen Text, der noch nicht läuft.</translation>
    </message>
    <message>
        <source>Start them</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>The rules of &lt;b&gt;%1&lt;/b&gt; do not run.</source>
        <translation>Die Regeln von &lt;b&gt;%1&lt;/b&gt; laufen nicht.</translation>
    </message>
</context>
<context>
    <name>partita::AskDialog</name>
    <message>
        <source>Why it was refused</source>
        <translation>Warum es abgelehnt wurde</translation>
    </message>
</context>
<context>
    <name>partita::AttributeFields</name>
    <message>
        <source>Default: %1</source>
        <translation>Voreinstellung: %1</translation>
    </message>
    <message>
        <source>as the operands</source>
        <translation>wie die Operanden</translation>
    </message>
    <message>
        <source>for example 1, 1</source>
        <translation>zum Beispiel 1, 1</translation>
    </message>
    <message>
        <source>different values</source>
        <translation>verschiedene Werte</translation>
    </message>
    <message>
        <source>Refused: %1</source>
        <translation>Abgelehnt: %1</translation>
    </message>
</context>
<context>
    <name>partita::BackendMenu</name>
    <message>
        <source>&amp;Backend</source>
        <translation>&amp;Backend</translation>
    </message>
    <message>
        <source>&amp;Edit rules</source>
        <translation>Regeln &amp;bearbeiten</translation>
    </message>
    <message>
        <source>Ctrl+Shift+R</source>
        <translation>Ctrl+Shift+R</translation>
    </message>
    <message>
        <source>Change a backend&apos;s rules and see at once what moves</source>
        <translation>Die Regeln eines Backends ändern und sofort sehen, was sich bewegt</translation>
    </message>
    <message>
        <source>C&amp;overage</source>
        <translation>&amp;Abdeckung</translation>
    </message>
    <message>
        <source>Ctrl+Shift+V</source>
        <translation>Ctrl+Shift+V</translation>
    </message>
    <message>
        <source>What goes where, what keeps the rest away, and what would change that</source>
        <translation>Was wohin geht, was den Rest abhält und was das ändern würde</translation>
    </message>
    <message>
        <source>Co&amp;de of the region</source>
        <translation>Co&amp;de der Region</translation>
    </message>
    <message>
        <source>Ctrl+Shift+K</source>
        <translation>Ctrl+Shift+K</translation>
    </message>
    <message>
        <source>The source that is made of the region of what is selected, or what its backend is given</source>
        <translation>Die Quelle, die aus der Region des Ausgewählten entsteht, oder was ihr Backend bekommt</translation>
    </message>
    <message>
        <source>&amp;Split off as a region of its own</source>
        <translation>Als eigene Region ab&amp;trennen</translation>
    </message>
    <message>
        <source>The selection no longer merges with the rest of its region</source>
        <translation>Die Auswahl verschmilzt nicht mehr mit dem Rest ihrer Region</translation>
    </message>
    <message>
        <source>&amp;Join into one region</source>
        <translation>Zu einer Region &amp;verbinden</translation>
    </message>
    <message>
        <source>The selection goes to the backend of its first operator that has one, and may merge again</source>
        <translation>Die Auswahl geht zum Backend ihres ersten Operators, der eines hat, und darf wieder verschmelzen</translation>
    </message>
    <message>
        <source>&amp;Choose backends…</source>
        <translation>Backends &amp;wählen…</translation>
    </message>
    <message>
        <source>Ctrl+B</source>
        <translation>Ctrl+B</translation>
    </message>
    <message>
        <source>Which backends, in which order; add one from a file</source>
        <translation>Welche Backends in welcher Reihenfolge; eines aus einer Datei hinzufügen</translation>
    </message>
    <message>
        <source>For s&amp;peed</source>
        <translation>Für &amp;Tempo</translation>
    </message>
    <message>
        <source>Ctrl+Alt+S</source>
        <translation>Ctrl+Alt+S</translation>
    </message>
    <message>
        <source>dnnl_all takes all that oneDNN can run, ccompiler_wide the rest as generated C; a model begins with these while none were chosen</source>
        <translation>dnnl_all nimmt alles, was oneDNN ausführen kann, ccompiler_wide den Rest als erzeugtes C; ein Modell beginnt mit diesen, solange keine gewählt wurden</translation>
    </message>
    <message>
        <source>backends for speed</source>
        <translation>Backends für Tempo</translation>
    </message>
    <message>
        <source>As in &amp;TVM</source>
        <translation>&amp;Wie in TVM</translation>
    </message>
    <message>
        <source>Ctrl+Alt+T</source>
        <translation>Ctrl+Alt+T</translation>
    </message>
    <message>
        <source>dnnl and ccompiler take what TVM 0.9 gives them; Relay text begins with these while none were chosen</source>
        <translation>dnnl und ccompiler nehmen, was TVM 0.9 ihnen gibt; Relay-Text beginnt mit diesen, solange keine gewählt wurden</translation>
    </message>
    <message>
        <source>backends as in TVM</source>
        <translation>Backends wie in TVM</translation>
    </message>
    <message>
        <source>Leave to the &amp;rules</source>
        <translation>Den &amp;Regeln überlassen</translation>
    </message>
    <message>
        <source>Take back what was given by hand</source>
        <translation>Zurücknehmen, was von Hand zugewiesen wurde</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Give the selection to %1</source>
        <translation>Die Auswahl an %1 geben</translation>
    </message>
    <message>
        <source>&amp;Make rules of the division</source>
        <translation>Regeln aus der Aufteilung &amp;machen</translation>
    </message>
    <message>
        <source>The shortest rules that say the same of each operator as the division, for the backend of what is selected, or the only one</source>
        <translation>Die kürzesten Regeln, die über jeden Operator dasselbe sagen wie die Aufteilung, für das Backend des Ausgewählten oder das einzige</translation>
    </message>
    <message>
        <source>Compare rules on &amp;models…</source>
        <translation>Regeln an &amp;Modellen vergleichen…</translation>
    </message>
    <message>
        <source>What the rules, as they stand here, change against those before on a folder of models</source>
        <translation>Was die Regeln, wie sie hier stehen, gegenüber früheren an einem Ordner von Modellen ändern</translation>
    </message>
</context>
<context>
    <name>partita::BackendsDialog</name>
    <message>
        <source>its rules are a program that has not run yet</source>
        <translation>seine Regeln sind ein Programm, das noch nicht gelaufen ist</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>Früher</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Später</translation>
    </message>
    <message>
        <source>Backends</source>
        <translation>Backends</translation>
    </message>
    <message>
        <source>Backends in order of priority</source>
        <translation>Backends nach Vorrang</translation>
    </message>
    <message>
        <source>Add a file…</source>
        <translation>Datei hinzufügen…</translation>
    </message>
    <message>
        <source>Add a backend</source>
        <translation>Backend hinzufügen</translation>
    </message>
    <message>
        <source>Not a backend description</source>
        <translation>Keine Backend-Beschreibung</translation>
    </message>
    <message>
        <source>The name is taken</source>
        <translation>Der Name ist vergeben</translation>
    </message>
    <message numerus="yes">
        <source>%n operator(s)</source>
        <translation>
            <numerusform>%n Operator</numerusform>
            <numerusform>%n Operatoren</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pattern(s)</source>
        <translation>
            <numerusform>%n Muster</numerusform>
            <numerusform>%n Muster</numerusform>
        </translation>
    </message>
    <message>
        <source>executed by %1</source>
        <translation>ausgeführt von %1</translation>
    </message>
    <message>
        <source>Backends are asked from top to bottom; an operator goes to the first whose rules accept it. What is opened next begins with the same ones.</source>
        <translation>Backends werden von oben nach unten gefragt; ein Operator geht an das erste, dessen Regeln ihn annehmen. Was als Nächstes geöffnet wird, beginnt mit denselben.</translation>
    </message>
    <message>
        <source>It ships with the program, or is not saved yet.</source>
        <translation>Es wird mitgeliefert oder ist noch nicht gespeichert.</translation>
    </message>
    <message>
        <source>It is from %1.</source>
        <translation>Es stammt aus %1.</translation>
    </message>
    <message>
        <source>There is a backend named %1 already. %2
Give one of the two another &quot;name&quot;.</source>
        <translation>Es gibt schon ein Backend namens %1. %2
Geben Sie einem der beiden einen anderen „name“.</translation>
    </message>
    <message>
        <source>Backend descriptions (*.json *.py);;All files (*)</source>
        <translation>Backend-Beschreibungen (*.json *.py);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>For &amp;speed</source>
        <translation>Für T&amp;empo</translation>
    </message>
    <message>
        <source>dnnl_all takes all that oneDNN can run, ccompiler_wide the rest as generated C</source>
        <translation>dnnl_all nimmt alles, was oneDNN ausführen kann, ccompiler_wide den Rest als erzeugtes C</translation>
    </message>
    <message>
        <source>As in &amp;TVM</source>
        <translation>Wie in &amp;TVM</translation>
    </message>
    <message>
        <source>dnnl and ccompiler take what TVM 0.9 gives them: few operators, as lessons and books show it</source>
        <translation>dnnl und ccompiler nehmen, was TVM 0.9 ihnen gibt: wenige Operatoren, wie Lektionen und Bücher es zeigen</translation>
    </message>
</context>
<context>
    <name>partita::Bisecting</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 und %n weiterer</numerusform>
            <numerusform>%1 und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>The search was cancelled</source>
        <translation>Die Suche wurde abgebrochen</translation>
    </message>
    <message>
        <source>The search is going on</source>
        <translation>Die Suche läuft</translation>
    </message>
    <message>
        <source>Nothing goes to a backend: annotate first (F6)</source>
        <translation>Nichts geht an ein Backend: zuerst annotieren (F6)</translation>
    </message>
    <message>
        <source>The module is being divided</source>
        <translation>Das Modul wird aufgeteilt</translation>
    </message>
    <message>
        <source>Bisecting</source>
        <translation>Eingrenzen</translation>
    </message>
    <message>
        <source>The module was changed during the search</source>
        <translation>Das Modul wurde während der Suche geändert</translation>
    </message>
    <message>
        <source>No region differs from default, and none was refused</source>
        <translation>Keine Region weicht von default ab, und keine wurde abgelehnt</translation>
    </message>
    <message numerus="yes">
        <source>Found after %n run(s): %1</source>
        <translation>
            <numerusform>Gefunden nach %n Lauf: %1</numerusform>
            <numerusform>Gefunden nach %n Läufen: %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Bisect</source>
        <translation>Eingrenzen</translation>
    </message>
    <message>
        <source>The compiler of %1 refuses %2</source>
        <translation>Der Compiler von %1 lehnt %2 ab</translation>
    </message>
    <message>
        <source>Of %1, this is not what default computes: %2</source>
        <translation>In %1 rechnet dies anders als default: %2</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>A step selects its operators on the graph</source>
        <translation>Ein Schritt wählt seine Operatoren im Graphen aus</translation>
    </message>
    <message>
        <source>&amp;Save the smallest region…</source>
        <translation>Kleinste Region &amp;sichern …</translation>
    </message>
    <message>
        <source>A module with its inputs, for those who wrote the backend</source>
        <translation>Ein Modul mit seinen Eingaben, für die Autoren des Backends</translation>
    </message>
    <message>
        <source>A folder for the module and its inputs</source>
        <translation>Ein Ordner für das Modul und seine Eingaben</translation>
    </message>
    <message>
        <source>Saved in %1</source>
        <translation>Gesichert in %1</translation>
    </message>
</context>
<context>
    <name>partita::BreakpointQuestion</name>
    <message>
        <source>Stop only where</source>
        <translation>Nur anhalten, wo</translation>
    </message>
    <message>
        <source>The breakpoint on %1 stops at calls for which this holds, such as attrs.groups &gt; 1 &amp;&amp; args[0].shape[1] == 96. Empty: at all.</source>
        <translation>Der Haltepunkt bei %1 hält bei Aufrufen an, für die dies gilt, etwa attrs.groups &gt; 1 &amp;&amp; args[0].shape[1] == 96. Leer: bei allen.</translation>
    </message>
    <message>
        <source>line %1</source>
        <translation>Zeile %1</translation>
    </message>
</context>
<context>
    <name>partita::BudgetField</name>
    <message>
        <source>Budget in KiB</source>
        <translation>Budget in KiB</translation>
    </message>
    <message>
        <source>Node statistics (CSV); none: an estimate</source>
        <translation>Knotenstatistik (CSV); ohne: eine Schätzung</translation>
    </message>
    <message>
        <source>Node statistics</source>
        <translation>Knotenstatistik</translation>
    </message>
    <message>
        <source>C&amp;hoose…</source>
        <translation>Wä&amp;hlen…</translation>
    </message>
    <message>
        <source>Co&amp;py</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Copy the setting of ONNX Runtime that says the same</source>
        <translation>Die Einstellung von ONNX Runtime kopieren, die dasselbe sagt</translation>
    </message>
    <message>
        <source>no budget</source>
        <translation>kein Budget</translation>
    </message>
    <message>
        <source>Only a backend of the name CUDAExecutionProvider has a budget</source>
        <translation>Nur ein Backend namens CUDAExecutionProvider hat ein Budget</translation>
    </message>
    <message numerus="yes">
        <source>%n operator(s) behind the end of the budget</source>
        <translation>
            <numerusform>%n Operator hinter dem Ende des Budgets</numerusform>
            <numerusform>%n Operatoren hinter dem Ende des Budgets</numerusform>
        </translation>
    </message>
    <message>
        <source>Tables (*.csv);;All files (*)</source>
        <translation>Tabellen (*.csv);;Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>partita::CallTrace</name>
    <message>
        <source>accepted</source>
        <translation>angenommen</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>abgelehnt</translation>
    </message>
    <message>
        <source>without a condition</source>
        <translation>ohne Bedingung</translation>
    </message>
    <message>
        <source>No backend has a rule for it.</source>
        <translation>Kein Backend hat dafür eine Regel.</translation>
    </message>
    <message>
        <source>Rules were not asked: annotate first (F6)</source>
        <translation>Regeln wurden nicht gefragt: zuerst annotieren (F6)</translation>
    </message>
    <message>
        <source>Select an operator first</source>
        <translation>Zuerst einen Operator auswählen</translation>
    </message>
    <message>
        <source>What was asked about %1</source>
        <translation>Was zu %1 gefragt wurde</translation>
    </message>
    <message>
        <source>Asking the rules</source>
        <translation>Die Regeln werden gefragt</translation>
    </message>
    <message>
        <source>What the rules were asked</source>
        <translation>Was die Regeln gefragt wurden</translation>
    </message>
</context>
<context>
    <name>partita::ClaimEditor</name>
    <message>
        <source>What the text says of the graph. Divide it in the window as the text has it, and press what is so: it is checked whenever the lesson is.</source>
        <translation>Was der Text vom Graphen sagt. Teilen Sie ihn im Fenster so auf, wie der Text es meint, und drücken Sie, was zutrifft: Es wird mit der Lektion geprüft.</translation>
    </message>
    <message>
        <source>Number of regions</source>
        <translation>Zahl der Regionen</translation>
    </message>
    <message>
        <source>Bytes across boundaries</source>
        <translation>Bytes über Grenzen</translation>
    </message>
    <message>
        <source>Regions of the selection</source>
        <translation>Regionen der Auswahl</translation>
    </message>
    <message>
        <source>Which of the selected operators are in one region, and which are not</source>
        <translation>Welche der gewählten Operatoren in einer Region sind und welche nicht</translation>
    </message>
    <message>
        <source>Backends of the selection</source>
        <translation>Backends der Auswahl</translation>
    </message>
    <message>
        <source>Faster than…</source>
        <translation>Schneller als…</translation>
    </message>
    <message>
        <source>The graph as it is divided now, measured beside another division</source>
        <translation>Der Graph, wie er jetzt aufgeteilt ist, neben einer anderen Aufteilung gemessen</translation>
    </message>
    <message>
        <source>divided by the rules</source>
        <translation>nach den Regeln aufgeteilt</translation>
    </message>
    <message>
        <source>number of regions</source>
        <translation>Zahl der Regionen</translation>
    </message>
    <message>
        <source>bytes across boundaries</source>
        <translation>Bytes über Grenzen</translation>
    </message>
    <message>
        <source>%1 are in one region</source>
        <translation>%1 sind in einer Region</translation>
    </message>
    <message>
        <source>%1 are in different regions</source>
        <translation>%1 sind in verschiedenen Regionen</translation>
    </message>
    <message>
        <source>so many times as fast as %1</source>
        <translation>so viele Male so schnell wie %1</translation>
    </message>
    <message>
        <source>Another graph is open than the lesson&apos;s</source>
        <translation>Ein anderer Graph als der der Lektion ist offen</translation>
    </message>
    <message>
        <source>Select operators on the graph first</source>
        <translation>Wählen Sie zuerst Operatoren im Graphen</translation>
    </message>
    <message>
        <source>Than now</source>
        <translation>Als jetzt</translation>
    </message>
    <message>
        <source>What the window shows now is the slower one</source>
        <translation>Was das Fenster jetzt zeigt, ist das Langsamere</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Messen</translation>
    </message>
    <message>
        <source>Run both, some seconds long</source>
        <translation>Beide einige Sekunden lang ausführen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
</context>
<context>
    <name>partita::CodePanel</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the whole text</source>
        <translation>Den ganzen Text kopieren</translation>
    </message>
    <message>
        <source>Code of the region</source>
        <translation>Code der Region</translation>
    </message>
    <message>
        <source>Partition first (F8): each region then is a function, and its code stands here.</source>
        <translation>Zuerst partitionieren (F8): Dann ist jede Region eine Funktion, und ihr Code steht hier.</translation>
    </message>
    <message>
        <source>Select an operator of a region: the code of the region stands here.</source>
        <translation>Wählen Sie einen Operator einer Region: Hier steht dann der Code der Region.</translation>
    </message>
    <message>
        <source>Writing the code of a region</source>
        <translation>Code einer Region wird geschrieben</translation>
    </message>
    <message>
        <source>%1: the C source that %2 compiles</source>
        <translation>%1: die C-Quelle, die %2 übersetzt</translation>
    </message>
    <message>
        <source>%1: Partita makes no code for it, but gives %2 the region as this JSON</source>
        <translation>%1: Partita macht dafür keinen Code, sondern gibt %2 die Region als dieses JSON</translation>
    </message>
    <message>
        <source>%1: no code is made; %2 calls these, in this order</source>
        <translation>%1: Es entsteht kein Code; %2 ruft dies in dieser Reihenfolge auf</translation>
    </message>
    <message>
        <source>%1. Not as chosen: %2</source>
        <translation>%1. Nicht wie gewählt: %2</translation>
    </message>
</context>
<context>
    <name>partita::CodePermission</name>
    <message>
        <source>the project</source>
        <translation>dem Projekt</translation>
    </message>
    <message>
        <source>The backend &lt;b&gt;%1&lt;/b&gt; of %2 runs a program:</source>
        <translation>Das Backend &lt;b&gt;%1&lt;/b&gt; aus %2 führt ein Programm aus:</translation>
    </message>
    <message>
        <source>The backend &lt;b&gt;%1&lt;/b&gt; of %2 loads a library:</source>
        <translation>Das Backend &lt;b&gt;%1&lt;/b&gt; aus %2 lädt eine Bibliothek:</translation>
    </message>
    <message>
        <source>May it run?</source>
        <translation>Darf es laufen?</translation>
    </message>
    <message>
        <source>&lt;b&gt;A backend brings code of its own&lt;/b&gt;</source>
        <translation>&lt;b&gt;Ein Backend bringt eigenen Code mit&lt;/b&gt;</translation>
    </message>
    <message>
        <source>&lt;p&gt;It can do on this machine whatever you can. Allow it if you trust where it comes from; you are asked only once.&lt;/p&gt;</source>
        <translation>&lt;p&gt;Er kann auf dieser Maschine alles tun, was Sie können. Erlauben Sie ihn, wenn Sie der Herkunft trauen; gefragt wird nur einmal.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Allow</source>
        <translation>Erlauben</translation>
    </message>
    <message>
        <source>Run on default instead</source>
        <translation>Stattdessen auf default ausführen</translation>
    </message>
    <message>
        <source>The backend &lt;b&gt;%1&lt;/b&gt; of %2 asks a program which calls it takes:</source>
        <translation>Das Backend &lt;b&gt;%1&lt;/b&gt; aus %2 fragt ein Programm, welche Aufrufe es nimmt:</translation>
    </message>
    <message>
        <source>Go without its rules</source>
        <translation>Ohne seine Regeln weiter</translation>
    </message>
</context>
<context>
    <name>partita::CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Type a command</source>
        <translation>Befehl eingeben</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>No command has these words in its name or its tip.</source>
        <translation>Kein Befehl hat diese Wörter im Namen oder im Hinweis.</translation>
    </message>
</context>
<context>
    <name>partita::CommandReasons</name>
    <message>
        <source>Open a module first</source>
        <translation>Zuerst ein Modul öffnen</translation>
    </message>
    <message>
        <source>There is no other model: File › New tab opens one</source>
        <translation>Es gibt kein weiteres Modell: Datei › Neuer Tab öffnet eines</translation>
    </message>
    <message>
        <source>Open a lesson first</source>
        <translation>Öffnen Sie erst eine Lektion</translation>
    </message>
    <message>
        <source>In a presentation the question of a lesson is hidden</source>
        <translation>Nur in einer Präsentation ist die Frage einer Lektion verborgen</translation>
    </message>
    <message>
        <source>This page asks no question</source>
        <translation>Diese Seite stellt keine Frage</translation>
    </message>
    <message>
        <source>A comparison is shown: go to the tab of a graph first</source>
        <translation>Ein Vergleich ist zu sehen: erst zum Reiter eines Graphen gehen</translation>
    </message>
    <message>
        <source>Select operators first</source>
        <translation>Zuerst Operatoren wählen</translation>
    </message>
    <message>
        <source>Select two nodes</source>
        <translation>Zwei Knoten wählen</translation>
    </message>
    <message>
        <source>The file carries its annotations already</source>
        <translation>Die Datei trägt ihre Annotationen schon</translation>
    </message>
    <message>
        <source>Parameters and constants go to no backend</source>
        <translation>Parameter und Konstanten gehen an kein Backend</translation>
    </message>
    <message>
        <source>Choose backends first</source>
        <translation>Zuerst Backends wählen</translation>
    </message>
    <message>
        <source>Annotate, merge or partition first</source>
        <translation>Zuerst annotieren, verschmelzen oder partitionieren</translation>
    </message>
    <message>
        <source>Divide the module and run it first</source>
        <translation>Erst das Modul aufteilen und ausführen</translation>
    </message>
</context>
<context>
    <name>partita::ConstantValues</name>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Read them</source>
        <translation>Lesen</translation>
    </message>
    <message>
        <source>Least</source>
        <translation>Kleinster</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>Größter</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Deviation</source>
        <translation>Abweichung</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>Nullen</translation>
    </message>
    <message>
        <source>Not finite</source>
        <translation>Nicht endlich</translation>
    </message>
    <message>
        <source>First</source>
        <translation>Die ersten</translation>
    </message>
    <message>
        <source>Save as .npy…</source>
        <translation>Als .npy sichern…</translation>
    </message>
    <message>
        <source>Reading values</source>
        <translation>Werte werden gelesen</translation>
    </message>
    <message>
        <source>Save the values</source>
        <translation>Die Werte sichern</translation>
    </message>
    <message>
        <source>NumPy&apos;s arrays (*.npy)</source>
        <translation>Felder von NumPy (*.npy)</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>%1 wird geschrieben</translation>
    </message>
    <message>
        <source>%1 was written.</source>
        <translation>%1 wurde geschrieben.</translation>
    </message>
    <message>
        <source>Given by</source>
        <translation>Gegeben von</translation>
    </message>
    <message>
        <source>Furthest from default</source>
        <translation>Größter Abstand zu default</translation>
    </message>
    <message>
        <source>%1 (relative %2)</source>
        <translation>%1 (relativ %2)</translation>
    </message>
    <message>
        <source>Values that flowed</source>
        <translation>Werte, die flossen</translation>
    </message>
    <message>
        <source>Save default&apos;s…</source>
        <translation>Die von default speichern…</translation>
    </message>
</context>
<context>
    <name>partita::CoveragePanel</name>
    <message>
        <source>Copy report</source>
        <translation>Bericht kopieren</translation>
    </message>
    <message>
        <source>Copy the whole report as Markdown</source>
        <translation>Den ganzen Bericht als Markdown kopieren</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Zählen</translation>
    </message>
    <message>
        <source>Shares</source>
        <translation>Anteile</translation>
    </message>
    <message>
        <source>backend, operator</source>
        <translation>Backend, Operator</translation>
    </message>
    <message>
        <source>calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>regions</source>
        <translation>Regionen</translation>
    </message>
    <message>
        <source>boundary</source>
        <translation>Grenze</translation>
    </message>
    <message>
        <source>Why calls stayed on default</source>
        <translation>Warum Aufrufe bei default blieben</translation>
    </message>
    <message>
        <source>cause</source>
        <translation>Ursache</translation>
    </message>
    <message>
        <source>backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>Annotate, or give operators to a backend: then this shows what goes where, and what keeps the rest away.</source>
        <translation>Annotieren Sie, oder geben Sie Operatoren einem Backend: dann steht hier, was wohin geht und was den Rest abhält.</translation>
    </message>
    <message>
        <source>Open a module first.</source>
        <translation>Öffnen Sie zuerst ein Modul.</translation>
    </message>
    <message>
        <source>Counting coverage</source>
        <translation>Abdeckung wird gezählt</translation>
    </message>
    <message>
        <source>counting…</source>
        <translation>wird gezählt …</translation>
    </message>
    <message>
        <source>Counting what would change</source>
        <translation>Zählen, was sich ändern würde</translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s) go in and out of its regions</source>
        <translation>
            <numerusform>%n Tensor geht in seine Regionen und heraus</numerusform>
            <numerusform>%n Tensoren gehen in seine Regionen und heraus</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: click to select the calls</source>
        <translation>%1: Klick wählt die Aufrufe</translation>
    </message>
    <message>
        <source>%1, on %2</source>
        <translation>%1, bei %2</translation>
    </message>
    <message>
        <source>boundary %1 → %2</source>
        <translation>Grenze %1 → %2</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>Versuchen</translation>
    </message>
    <message>
        <source>try on %1: %2</source>
        <translation>Versuch mit %1: %2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n call(s) stayed on default</source>
        <translation>
            <numerusform>%1 von %n Aufruf blieb bei default</numerusform>
            <numerusform>%1 von %n Aufrufen blieben bei default</numerusform>
        </translation>
    </message>
    <message>
        <source>The report is on the clipboard.</source>
        <translation>Der Bericht ist in der Zwischenablage.</translation>
    </message>
    <message>
        <source>rules were not asked</source>
        <translation>Regeln wurden nicht gefragt</translation>
    </message>
    <message numerus="yes">
        <source>All %n call(s) are offloaded</source>
        <translation>
            <numerusform>Der eine Aufruf ist ausgelagert</numerusform>
            <numerusform>Alle %n Aufrufe sind ausgelagert</numerusform>
        </translation>
    </message>
    <message>
        <source>Divide the graph once for each change</source>
        <translation>Den Graphen für jede Änderung einmal aufteilen</translation>
    </message>
    <message>
        <source>Best %1</source>
        <translation>Beste %1</translation>
    </message>
    <message>
        <source>The changes that together do the most for the figure that the table is sorted by, one after the other</source>
        <translation>Die Änderungen, die zusammen am meisten für die Zahl bewirken, nach der die Tabelle geordnet ist, eine nach der anderen</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>Was wäre, wenn</translation>
    </message>
    <message>
        <source>change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>gained</source>
        <translation>gewonnen</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>no rule would change anything</source>
        <translation>keine Regel würde etwas ändern</translation>
    </message>
    <message>
        <source>together: regions %1 → %2</source>
        <translation>zusammen: Regionen %1 → %2</translation>
    </message>
    <message>
        <source>Change the rules so, and as in the lines above; undo takes it back</source>
        <translation>Die Regeln so und wie in den Zeilen darüber ändern; Rückgängig nimmt es zurück</translation>
    </message>
    <message>
        <source>Change the rules so; undo takes it back</source>
        <translation>Die Regeln so ändern; Rückgängig nimmt es zurück</translation>
    </message>
    <message>
        <source>%1: click to select the calls, twice to see the line</source>
        <translation>%1: Klick wählt die Aufrufe aus, Doppelklick zeigt die Zeile</translation>
    </message>
    <message>
        <source>in blocks</source>
        <translation>in Blöcken</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n block(s) alike</source>
        <translation>
            <numerusform>%1, ein Block</numerusform>
            <numerusform>%1, %n Blöcke gleich</numerusform>
        </translation>
    </message>
    <message>
        <source>block %1: %2</source>
        <translation>Block %1: %2</translation>
    </message>
    <message>
        <source>no change leaves fewer regions or less that crosses</source>
        <translation>keine Änderung lässt weniger Regionen oder weniger, was Grenzen überquert</translation>
    </message>
    <message>
        <source>no change gains anything towards this goal</source>
        <translation>keine Änderung gewinnt etwas für dieses Ziel</translation>
    </message>
    <message>
        <source>The rules of %1 are in Python: only a person can change them so</source>
        <translation>Die Regeln von %1 sind in Python: So kann sie nur ein Mensch ändern</translation>
    </message>
    <message>
        <source>Changing the rules</source>
        <translation>Regeln werden geändert</translation>
    </message>
    <message>
        <source>The file itself would be another: convert the model with float16 weights, and open that</source>
        <translation>Die Datei selbst wäre eine andere: Konvertieren Sie das Modell mit float16-Gewichten und öffnen Sie dieses</translation>
    </message>
</context>
<context>
    <name>partita::CurveChart</name>
    <message>
        <source>Curve of placements</source>
        <translation>Kurve der Platzierungen</translation>
    </message>
</context>
<context>
    <name>partita::DescriptionConflict</name>
    <message>
        <source>Take theirs</source>
        <translation>Fremden Stand nehmen</translation>
    </message>
    <message>
        <source>Read the file again; undo takes it back</source>
        <translation>Die Datei neu lesen; Rückgängig nimmt es zurück</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>Meinen behalten</translation>
    </message>
    <message>
        <source>Saving then writes over the file</source>
        <translation>Speichern überschreibt dann die Datei</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; is no longer there. Saving writes it again.</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; ist nicht mehr da. Speichern schreibt sie neu.</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; was changed on disk, and here.</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; wurde auf der Platte geändert, und hier.</translation>
    </message>
</context>
<context>
    <name>partita::DescriptionEdit</name>
    <message>
        <source>Breakpoint on %1: play stops at each operator that it looks at (F9)</source>
        <translation>Haltepunkt bei %1: das Abspielen hält bei jedem Operator, den sie ansieht (F9)</translation>
    </message>
    <message>
        <source>Backend description</source>
        <translation>Beschreibung des Backends</translation>
    </message>
    <message>
        <source>Words that fit</source>
        <translation>Passende Wörter</translation>
    </message>
    <message>
        <source>Rules in Python</source>
        <translation>Regeln in Python</translation>
    </message>
    <message>
        <source>Breakpoint on line %1: play stops at each call that reaches it (F9)</source>
        <translation>Haltepunkt in Zeile %1: Das Abspielen hält bei jedem Aufruf, der sie erreicht (F9)</translation>
    </message>
    <message>
        <source>Only where %1 (right button, Shift+F9)</source>
        <translation>Nur wo %1 (rechte Taste, Umschalt+F9)</translation>
    </message>
    <message>
        <source>Right button, Shift+F9: only where a condition holds</source>
        <translation>Rechte Taste, Umschalt+F9: nur wo eine Bedingung gilt</translation>
    </message>
</context>
<context>
    <name>partita::DescriptionTexts</name>
    <message>
        <source>Texts of the description</source>
        <translation>Texte der Beschreibung</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>Beschreibung</translation>
    </message>
    <message>
        <source>%1 (read only)</source>
        <translation>%1 (nur lesen)</translation>
    </message>
    <message>
        <source>The rules of this description. Changes of the file on disk are followed.</source>
        <translation>Die Regeln dieser Beschreibung. Änderungen der Datei auf der Platte werden übernommen.</translation>
    </message>
</context>
<context>
    <name>partita::DiffPage</name>
    <message>
        <source>added</source>
        <translation>hinzugefügt</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>entfernt</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>another type</source>
        <translation>anderer Typ</translation>
    </message>
    <message>
        <source>before</source>
        <translation>vorher</translation>
    </message>
    <message>
        <source>after</source>
        <translation>nachher</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>As it was opened</source>
        <translation>Wie geöffnet</translation>
    </message>
    <message>
        <source>The module now</source>
        <translation>Das Modul jetzt</translation>
    </message>
    <message>
        <source>After composite</source>
        <translation>Nach den Mustern</translation>
    </message>
    <message>
        <source>After annotate</source>
        <translation>Nach Annotieren</translation>
    </message>
    <message>
        <source>After merge</source>
        <translation>Nach Verschmelzen</translation>
    </message>
    <message>
        <source>After partition</source>
        <translation>Nach Partitionieren</translation>
    </message>
    <message>
        <source>A file…</source>
        <translation>Eine Datei…</translation>
    </message>
    <message>
        <source>Compare what</source>
        <translation>Was vergleichen</translation>
    </message>
    <message>
        <source>Compare with what</source>
        <translation>Womit vergleichen</translation>
    </message>
    <message>
        <source>As text</source>
        <translation>Als Text</translation>
    </message>
    <message>
        <source>Relay text instead of the graph</source>
        <translation>Relay-Text statt des Graphen</translation>
    </message>
    <message>
        <source>The difference before</source>
        <translation>Der Unterschied davor</translation>
    </message>
    <message>
        <source>The next difference</source>
        <translation>Der nächste Unterschied</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Zusammenfassung</translation>
    </message>
    <message>
        <source>A module to compare with</source>
        <translation>Ein Modul zum Vergleichen</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>%1 wird geöffnet</translation>
    </message>
    <message>
        <source>%1 was not made yet</source>
        <translation>%1 gibt es noch nicht</translation>
    </message>
    <message>
        <source>Comparing</source>
        <translation>Vergleich läuft</translation>
    </message>
    <message>
        <source>No difference</source>
        <translation>Kein Unterschied</translation>
    </message>
    <message>
        <source>… and %1 more</source>
        <translation>… und %1 weitere</translation>
    </message>
    <message>
        <source>%1 added</source>
        <translation>%1 hinzugefügt</translation>
    </message>
    <message>
        <source>%1 removed</source>
        <translation>%1 entfernt</translation>
    </message>
    <message>
        <source>%1 changed</source>
        <translation>%1 geändert</translation>
    </message>
    <message>
        <source>%1 of another type</source>
        <translation>%1 mit anderem Typ</translation>
    </message>
    <message numerus="yes">
        <source>%n function(s) added</source>
        <translation>
            <numerusform>%n Funktion hinzugefügt</numerusform>
            <numerusform>%n Funktionen hinzugefügt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n function(s) removed</source>
        <translation>
            <numerusform>%n Funktion entfernt</numerusform>
            <numerusform>%n Funktionen entfernt</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 the same</source>
        <translation>%1 gleich</translation>
    </message>
    <message>
        <source>Double-click or Enter: each of the %1</source>
        <translation>Doppelklick oder Enter: jeder der %1 einzeln</translation>
    </message>
</context>
<context>
    <name>partita::DiffSide</name>
    <message>
        <source>Function, %1</source>
        <translation>Funktion, %1</translation>
    </message>
    <message>
        <source>Graph, %1</source>
        <translation>Graph, %1</translation>
    </message>
    <message>
        <source>Relay text, %1</source>
        <translation>Relay-Text, %1</translation>
    </message>
    <message>
        <source>Laying out %1</source>
        <translation>%1 wird angeordnet</translation>
    </message>
    <message>
        <source>Printing Relay text</source>
        <translation>Relay-Text wird geschrieben</translation>
    </message>
</context>
<context>
    <name>partita::DimensionsDialog</name>
    <message>
        <source>Dimensions of %1</source>
        <translation>Dimensionen von %1</translation>
    </message>
    <message>
        <source>The model leaves these dimensions open. Partita fixes them when it reads the model; your choice is remembered for this file.</source>
        <translation>Das Modell lässt diese Dimensionen offen. Partita legt sie beim Lesen fest; die Wahl wird für diese Datei gemerkt.</translation>
    </message>
    <message>
        <source>without a name</source>
        <translation>ohne Namen</translation>
    </message>
    <message>
        <source>Use these</source>
        <translation>Diese verwenden</translation>
    </message>
    <message>
        <source>Keep as they are</source>
        <translation>So lassen</translation>
    </message>
    <message>
        <source>%1, from the graph</source>
        <translation>%1, aus dem Graphen</translation>
    </message>
</context>
<context>
    <name>partita::DivisionOptions</name>
    <message>
        <source>The passes above are the options of tvm; choose another algorithm under Divide by</source>
        <translation>Die Durchgänge oben sind die Optionen von tvm; wählen Sie unter Aufteilen durch ein anderes Verfahren</translation>
    </message>
    <message>
        <source>%1 has no options</source>
        <translation>%1 hat keine Optionen</translation>
    </message>
    <message>
        <source>Options of %1</source>
        <translation>Optionen von %1</translation>
    </message>
    <message>
        <source>From %1</source>
        <translation>Nach %1</translation>
    </message>
    <message>
        <source>&amp;Choose…</source>
        <translation>Wähl&amp;en…</translation>
    </message>
    <message>
        <source>A file</source>
        <translation>Eine Datei</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>partita::DockTitle</name>
    <message>
        <source>As a window of its own, or back</source>
        <translation>Als eigenes Fenster, oder zurück</translation>
    </message>
    <message>
        <source>%1 as a window of its own</source>
        <translation>%1 als eigenes Fenster</translation>
    </message>
    <message>
        <source>Close; the menu View brings it back</source>
        <translation>Schließen; das Menü Ansicht bringt es zurück</translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation>%1 schließen</translation>
    </message>
</context>
<context>
    <name>partita::Document</name>
    <message>
        <source>Opening %1</source>
        <translation>%1 wird geöffnet</translation>
    </message>
    <message>
        <source>Dividing the graph</source>
        <translation>Der Graph wird aufgeteilt</translation>
    </message>
    <message numerus="yes">
        <source>give %n operator(s) to %1</source>
        <translation>
            <numerusform>%n Operator an %1 geben</numerusform>
            <numerusform>%n Operatoren an %1 geben</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>leave %n operator(s) to the rules</source>
        <translation>
            <numerusform>%n Operator den Regeln überlassen</numerusform>
            <numerusform>%n Operatoren den Regeln überlassen</numerusform>
        </translation>
    </message>
    <message>
        <source>choose backends</source>
        <translation>Backends wählen</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>Output %1 differs from the unpartitioned module by up to %2 (relative %3)</source>
        <translation>Ausgabe %1 weicht um bis zu %2 vom unpartitionierten Modul ab (relativ %3)</translation>
    </message>
    <message>
        <source>the code of this backend was not allowed to run</source>
        <translation>der Code dieses Backends durfte nicht laufen</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>%1 wird gespeichert</translation>
    </message>
    <message>
        <source>read %1 again</source>
        <translation>%1 neu lesen</translation>
    </message>
    <message numerus="yes">
        <source>split %n operator(s) off</source>
        <translation>
            <numerusform>%n Operator abtrennen</numerusform>
            <numerusform>%n Operatoren abtrennen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>join %n operator(s)</source>
        <translation>
            <numerusform>%n Operator verbinden</numerusform>
            <numerusform>%n Operatoren verbinden</numerusform>
        </translation>
    </message>
    <message>
        <source>compiling</source>
        <translation>übersetzt</translation>
    </message>
    <message>
        <source>stop dividing</source>
        <translation>Aufteilung anhalten</translation>
    </message>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n Aufruf</numerusform>
            <numerusform>%n Aufrufe</numerusform>
        </translation>
    </message>
    <message>
        <source>The rule %1 failed for %2: %3</source>
        <translation>Die Regel %1 scheiterte für %2: %3</translation>
    </message>
    <message>
        <source>The rule %1 failed for %2: %3 (%4)</source>
        <translation>Die Regel %1 scheiterte für %2: %3 (%4)</translation>
    </message>
    <message>
        <source>, %1 % of their time</source>
        <translation>, %1 % ihrer Zeit</translation>
    </message>
    <message>
        <source>%1: %2 of %3 rows are of operators here%4</source>
        <translation>%1: %2 von %3 Zeilen gehören zu Operatoren hier%4</translation>
    </message>
    <message>
        <source>no operator here: %1</source>
        <translation>hier kein Operator: %1</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>divide as %1 did</source>
        <translation>teilen, wie %1 geteilt hat</translation>
    </message>
    <message>
        <source>Reading reports</source>
        <translation>Berichte werden gelesen</translation>
    </message>
    <message>
        <source>%1: rows of operators that it put in: %2%3</source>
        <translation>%1: Zeilen von Operatoren, die es eingefügt hat: %2%3</translation>
    </message>
    <message>
        <source>%1: rows of no operator here: %2%3; they are below</source>
        <translation>%1: Zeilen ohne Operator hier: %2%3; sie stehen darunter</translation>
    </message>
</context>
<context>
    <name>partita::EditMenu</name>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Find…</source>
        <translation>&amp;Suchen…</translation>
    </message>
    <message>
        <source>Find operators, types, attributes</source>
        <translation>Operatoren, Typen, Attribute suchen</translation>
    </message>
    <message>
        <source>Se&amp;ttings…</source>
        <translation>&amp;Einstellungen…</translation>
    </message>
    <message>
        <source>Ctrl+,</source>
        <translation>Ctrl+,</translation>
    </message>
    <message>
        <source>Theme, graph, running</source>
        <translation>Aussehen, Graph, Ausführung</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>Nothing was changed yet</source>
        <translation>Noch wurde nichts geändert</translation>
    </message>
    <message>
        <source>Take back: %1</source>
        <translation>Zurücknehmen: %1</translation>
    </message>
    <message>
        <source>Take the last change back</source>
        <translation>Die letzte Änderung zurücknehmen</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Ctrl+Shift+Z</source>
        <translation>Ctrl+Shift+Z</translation>
    </message>
    <message>
        <source>Ctrl+Y</source>
        <translation>Ctrl+Y</translation>
    </message>
    <message>
        <source>Nothing was taken back</source>
        <translation>Es wurde nichts zurückgenommen</translation>
    </message>
    <message>
        <source>Make again: %1</source>
        <translation>Wiederholen: %1</translation>
    </message>
    <message>
        <source>Make the change again that was taken back</source>
        <translation>Die zurückgenommene Änderung wiederholen</translation>
    </message>
    <message>
        <source>Copy what the &amp;inspector says</source>
        <translation>Kopieren, was der &amp;Inspektor sagt</translation>
    </message>
    <message>
        <source>Ctrl+Alt+C</source>
        <translation>Ctrl+Alt+C</translation>
    </message>
    <message>
        <source>Copy what is said of the selected operator, with its reasons, as plain text</source>
        <translation>Was über den ausgewählten Operator gesagt wird, mit den Gründen als reinen Text kopieren</translation>
    </message>
    <message>
        <source>Copy &amp;link</source>
        <translation>&amp;Link kopieren</translation>
    </message>
    <message>
        <source>Ctrl+Alt+L</source>
        <translation>Ctrl+Alt+L</translation>
    </message>
    <message>
        <source>Copy a link to the selected operator, which others open by File › Open a link, or as partita&apos;s FILE</source>
        <translation>Einen Link auf den gewählten Operator kopieren, den andere mit Datei › Link öffnen oder als FILE von partita öffnen</translation>
    </message>
    <message>
        <source>Copied as a link.</source>
        <translation>Als Link kopiert.</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>&amp;Alles wählen</translation>
    </message>
    <message>
        <source>Select all operators</source>
        <translation>Alle Operatoren wählen</translation>
    </message>
    <message>
        <source>Select the &amp;region</source>
        <translation>Die &amp;Region wählen</translation>
    </message>
    <message>
        <source>Select the region of the selected operator</source>
        <translation>Die Region des gewählten Operators wählen</translation>
    </message>
    <message>
        <source>Select the &amp;same operators</source>
        <translation>&amp;Gleiche Operatoren wählen</translation>
    </message>
    <message>
        <source>Select all calls of the selected operator</source>
        <translation>Alle Aufrufe des gewählten Operators wählen</translation>
    </message>
    <message>
        <source>Add the same in all &amp;blocks</source>
        <translation>Das Gleiche in allen &amp;Blöcken dazu</translation>
    </message>
    <message>
        <source>Add what stands at the same place in the other blocks that are alike: what is then done, is done to all</source>
        <translation>Dazunehmen, was in den anderen gleichen Blöcken an derselben Stelle steht: was dann geschieht, geschieht mit allen</translation>
    </message>
    <message>
        <source>Add all &amp;producers</source>
        <translation>Alle &amp;Erzeuger dazu</translation>
    </message>
    <message>
        <source>Select all that the selection depends on</source>
        <translation>Alles wählen, wovon die Auswahl abhängt</translation>
    </message>
    <message>
        <source>Add all &amp;users</source>
        <translation>Alle Be&amp;nutzer dazu</translation>
    </message>
    <message>
        <source>Select all that depends on the selection</source>
        <translation>Alles wählen, was von der Auswahl abhängt</translation>
    </message>
    <message>
        <source>Copied as text.</source>
        <translation>Als Text kopiert.</translation>
    </message>
    <message>
        <source>The selection lies in no block that comes again.</source>
        <translation>Die Auswahl liegt in keinem Block, der wiederkehrt.</translation>
    </message>
    <message numerus="yes">
        <source>In %n block(s)</source>
        <translation>
            <numerusform>In %n Block</numerusform>
            <numerusform>In %n Blöcken</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) differ and have some of it</source>
        <translation>
            <numerusform>%n Block ist anders und hat einen Teil davon</numerusform>
            <numerusform>%n Blöcke sind anders und haben einen Teil davon</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) differ and have none</source>
        <translation>
            <numerusform>%n Block ist anders und hat keines</numerusform>
            <numerusform>%n Blöcke sind anders und haben keines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::ElementEditor</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>set %1</source>
        <translation>%1 setzen</translation>
    </message>
    <message>
        <source>rename to %1</source>
        <translation>in %1 umbenennen</translation>
    </message>
    <message>
        <source>change a type</source>
        <translation>einen Typ ändern</translation>
    </message>
    <message>
        <source>Change attributes</source>
        <translation>Attribute ändern</translation>
    </message>
    <message numerus="yes">
        <source>Change attributes of %n calls of %1</source>
        <translation>
            <numerusform>Attribute von %n Aufruf von %1 ändern</numerusform>
            <numerusform>Attribute von %n Aufrufen von %1 ändern</numerusform>
        </translation>
    </message>
    <message>
        <source>Change the parameter</source>
        <translation>Den Parameter ändern</translation>
    </message>
    <message>
        <source>Why the value was refused</source>
        <translation>Warum der Wert abgelehnt wurde</translation>
    </message>
    <message>
        <source>Operators that must change together: select them all, then set the value once.</source>
        <translation>Operatoren, die sich gemeinsam ändern müssen: alle auswählen, dann den Wert einmal setzen.</translation>
    </message>
</context>
<context>
    <name>partita::Exports</name>
    <message>
        <source>Write</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>Folder:</source>
        <translation>Ordner:</translation>
    </message>
    <message>
        <source>Relay text, as TVM 0.9 reads it</source>
        <translation>Relay-Text, wie TVM 0.9 ihn liest</translation>
    </message>
    <message>
        <source>Module as JSON</source>
        <translation>Modul als JSON</translation>
    </message>
    <message>
        <source>ONNX model, each region a function</source>
        <translation>ONNX-Modell, jede Region eine Funktion</translation>
    </message>
    <message>
        <source>Picture for Graphviz</source>
        <translation>Bild für Graphviz</translation>
    </message>
    <message>
        <source>Picture, scalable</source>
        <translation>Bild, skalierbar</translation>
    </message>
    <message>
        <source>Picture in pixels</source>
        <translation>Bild in Pixeln</translation>
    </message>
    <message>
        <source>Picture for print</source>
        <translation>Bild für den Druck</translation>
    </message>
    <message>
        <source>Report: page with picture and tables</source>
        <translation>Bericht: Seite mit Bild und Tabellen</translation>
    </message>
    <message>
        <source>Report: tables as Markdown, picture beside it</source>
        <translation>Bericht: Tabellen als Markdown, Bild daneben</translation>
    </message>
    <message>
        <source>%1 was not written</source>
        <translation>%1 wurde nicht geschrieben</translation>
    </message>
    <message>
        <source>%1

Nothing is lost: all of it is still open here. Make room, or choose another place.</source>
        <translation>%1

Nichts ist verloren: alles ist hier noch offen. Schaffen Sie Platz, oder wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>Another place…</source>
        <translation>Anderer Ort…</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Folder for the C sources</source>
        <translation>Ordner für die C-Quellen</translation>
    </message>
    <message>
        <source>Export a report</source>
        <translation>Bericht exportieren</translation>
    </message>
    <message>
        <source>Pages (*.html);;Markdown with pictures beside it (*.md)</source>
        <translation>Seiten (*.html);;Markdown mit Bildern daneben (*.md)</translation>
    </message>
    <message>
        <source>Folder for the ONNX models</source>
        <translation>Ordner für die ONNX-Modelle</translation>
    </message>
    <message>
        <source>Exporting %1</source>
        <translation>%1 wird exportiert</translation>
    </message>
    <message>
        <source>Page to send: graph with groups, search and reasons</source>
        <translation>Seite zum Verschicken: Graph mit Gruppen, Suche und Gründen</translation>
    </message>
    <message>
        <source>Hand-out: picture to draw regions on, and the solution</source>
        <translation>Arbeitsblatt: Bild zum Einzeichnen der Regionen, und die Lösung</translation>
    </message>
    <message>
        <source>%1 has files that no export wrote. Those of the same names are replaced; others stay.</source>
        <translation>%1 enthält Dateien, die kein Export geschrieben hat. Solche mit gleichem Namen werden ersetzt; andere bleiben.</translation>
    </message>
</context>
<context>
    <name>partita::FaultBubble</name>
    <message>
        <source>Why the edit was refused</source>
        <translation>Warum die Änderung abgelehnt wurde</translation>
    </message>
</context>
<context>
    <name>partita::FileMenu</name>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Close the model</source>
        <translation>Modell s&amp;chließen</translation>
    </message>
    <message>
        <source>Ctrl+Shift+W</source>
        <translation>Ctrl+Shift+W</translation>
    </message>
    <message>
        <source>Close the tab of this model</source>
        <translation>Den Tab dieses Modells schließen</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>Ctrl+Q</source>
        <translation>Ctrl+Q</translation>
    </message>
    <message>
        <source>Close the program</source>
        <translation>Das Programm schließen</translation>
    </message>
    <message>
        <source>There is no earlier session</source>
        <translation>Es gibt keine frühere Sitzung</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>&amp;Öffnen…</translation>
    </message>
    <message>
        <source>Open Relay text or ONNX</source>
        <translation>Relay-Text oder ONNX öffnen</translation>
    </message>
    <message>
        <source>New &amp;tab</source>
        <translation>Neuer &amp;Tab</translation>
    </message>
    <message>
        <source>Open another model beside this one</source>
        <translation>Neben diesem ein weiteres Modell öffnen</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>No file was opened yet</source>
        <translation>Es wurde noch keine Datei geöffnet</translation>
    </message>
    <message>
        <source>Open a &amp;sample</source>
        <translation>&amp;Beispiel öffnen</translation>
    </message>
    <message>
        <source>Open a report on &amp;it…</source>
        <translation>Ber&amp;icht darüber öffnen…</translation>
    </message>
    <message>
        <source>Show what another program did with this model: a profile, a log or a dump of ONNX Runtime, LiteRT or ExecuTorch</source>
        <translation>Zeigen, was ein anderes Programm mit diesem Modell gemacht hat: ein Profil, ein Protokoll oder ein Abzug von ONNX Runtime, LiteRT oder ExecuTorch</translation>
    </message>
    <message>
        <source>Open a lin&amp;k…</source>
        <translation>Lin&amp;k öffnen…</translation>
    </message>
    <message>
        <source>Go to the operator that a link of somebody names</source>
        <translation>Zum Operator gehen, den ein Link von jemandem nennt</translation>
    </message>
    <message>
        <source>Re&amp;load</source>
        <translation>&amp;Neu laden</translation>
    </message>
    <message>
        <source>Ctrl+R</source>
        <translation>Ctrl+R</translation>
    </message>
    <message>
        <source>Read the file again; choices stay with what is still there</source>
        <translation>Die Datei neu lesen; was gewählt wurde, bleibt bei dem, was es noch gibt</translation>
    </message>
    <message>
        <source>&amp;Go on where you left</source>
        <translation>&amp;Weitermachen</translation>
    </message>
    <message>
        <source>Ctrl+Shift+O</source>
        <translation>Ctrl+Shift+O</translation>
    </message>
    <message>
        <source>Open the last module with its division</source>
        <translation>Das letzte Modul mit seiner Aufteilung öffnen</translation>
    </message>
    <message>
        <source>&amp;Save the project</source>
        <translation>Projekt &amp;speichern</translation>
    </message>
    <message>
        <source>Write what you chose for this module</source>
        <translation>Schreiben, was für dieses Modul gewählt wurde</translation>
    </message>
    <message>
        <source>Save the project &amp;as…</source>
        <translation>Projekt speichern &amp;unter…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+S</source>
        <translation>Ctrl+Shift+S</translation>
    </message>
    <message>
        <source>Write what you chose to another file</source>
        <translation>In eine andere Datei schreiben, was gewählt wurde</translation>
    </message>
    <message>
        <source>The module has no open dimensions</source>
        <translation>Das Modul hat keine offenen Dimensionen</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>&amp;Exportieren…</translation>
    </message>
    <message>
        <source>Ctrl+E</source>
        <translation>Ctrl+E</translation>
    </message>
    <message>
        <source>Write Relay text, JSON, SVG, PNG, PDF, DOT or a report</source>
        <translation>Relay-Text, JSON, SVG, PNG, PDF, DOT oder einen Bericht schreiben</translation>
    </message>
    <message>
        <source>Export as &amp;C…</source>
        <translation>Als &amp;C exportieren…</translation>
    </message>
    <message>
        <source>Ctrl+Alt+E</source>
        <translation>Ctrl+Alt+E</translation>
    </message>
    <message>
        <source>Write C sources, weights and CMakeLists.txt into a folder, to build without Partita</source>
        <translation>C-Quellen, Gewichte und CMakeLists.txt in einen Ordner schreiben, zum Bauen ohne Partita</translation>
    </message>
    <message>
        <source>Export as ONNX &amp;models…</source>
        <translation>Als ONNX-&amp;Modelle exportieren…</translation>
    </message>
    <message>
        <source>Write an ONNX model for each region and a manifest of their connections into a folder</source>
        <translation>Für jede Region ein ONNX-Modell und ein Verzeichnis ihrer Verbindungen in einen Ordner schreiben</translation>
    </message>
    <message>
        <source>Export a &amp;report…</source>
        <translation>Be&amp;richt exportieren…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+E</source>
        <translation>Ctrl+Shift+E</translation>
    </message>
    <message>
        <source>Write one page with the picture, what goes where and why, and the times of the last run</source>
        <translation>Eine Seite schreiben: das Bild, was wohin geht und warum, und die Zeiten des letzten Laufs</translation>
    </message>
    <message>
        <source>Export &amp;hand-out</source>
        <translation>Ar&amp;beitsblatt exportieren</translation>
    </message>
    <message>
        <source>&amp;Dimensions of the model…</source>
        <translation>&amp;Dimensionen des Modells…</translation>
    </message>
    <message>
        <source>Choose the sizes that the ONNX model leaves open, and read it again</source>
        <translation>Die Größen wählen, die das ONNX-Modell offen lässt, und es neu lesen</translation>
    </message>
    <message>
        <source>Copy &amp;picture</source>
        <translation>&amp;Bild kopieren</translation>
    </message>
    <message>
        <source>Ctrl+Shift+C</source>
        <translation>Ctrl+Shift+C</translation>
    </message>
    <message>
        <source>Copy the graph as a picture; of a very large one, what the canvas shows of it</source>
        <translation>Den Graphen als Bild kopieren; von einem sehr großen, was die Zeichenfläche davon zeigt</translation>
    </message>
    <message>
        <source>Pri&amp;nt…</source>
        <translation>Dr&amp;ucken…</translation>
    </message>
    <message>
        <source>Print the graph of this tab</source>
        <translation>Den Graphen dieses Reiters drucken</translation>
    </message>
    <message>
        <source>Forget them</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>The picture is on the clipboard.</source>
        <translation>Das Bild ist in der Zwischenablage.</translation>
    </message>
    <message>
        <source>Save the project</source>
        <translation>Projekt speichern</translation>
    </message>
    <message>
        <source>Projects (*.partita)</source>
        <translation>Projekte (*.partita)</translation>
    </message>
</context>
<context>
    <name>partita::FileOpening</name>
    <message>
        <source>The other files are in File › Open recent. Two at once are compared.</source>
        <translation>Die anderen Dateien stehen unter Datei › Zuletzt geöffnet. Zwei auf einmal werden verglichen.</translation>
    </message>
    <message>
        <source>The file of the link is not here</source>
        <translation>Die Datei des Links ist nicht hier</translation>
    </message>
    <message>
        <source>No file that was opened before is called %1. Open it once; then links to it are found.</source>
        <translation>Keine früher geöffnete Datei heißt %1. Öffnen Sie sie einmal; dann werden Links auf sie gefunden.</translation>
    </message>
    <message>
        <source>Open a link</source>
        <translation>Link öffnen</translation>
    </message>
    <message>
        <source>A link that Edit › Copy link made:</source>
        <translation>Ein Link, den Bearbeiten › Link kopieren gemacht hat:</translation>
    </message>
    <message>
        <source>This is no link</source>
        <translation>Das ist kein Link</translation>
    </message>
    <message>
        <source>A link begins with partita: and a file&apos;s name.</source>
        <translation>Ein Link beginnt mit partita: und dem Namen einer Datei.</translation>
    </message>
    <message>
        <source>Open a module</source>
        <translation>Modul öffnen</translation>
    </message>
    <message>
        <source>%1 was not opened</source>
        <translation>%1 wurde nicht geöffnet</translation>
    </message>
    <message>
        <source>Take it from the list</source>
        <translation>Aus der Liste nehmen</translation>
    </message>
    <message>
        <source>The list of recent files offers it no more</source>
        <translation>Die Liste der letzten Dateien bietet sie nicht mehr an</translation>
    </message>
    <message>
        <source>What was recovered stands here. Save it, then open the file: it is among the recent ones.</source>
        <translation>Hier steht, was wiederhergestellt wurde. Speichern und dann die Datei öffnen: sie steht bei den zuletzt geöffneten.</translation>
    </message>
</context>
<context>
    <name>partita::FileWatch</name>
    <message>
        <source>File changed</source>
        <translation>Datei geändert</translation>
    </message>
    <message>
        <source>Read it again</source>
        <translation>Neu lesen</translation>
    </message>
    <message>
        <source>One step that can be undone; choices stay with the operators that are still there</source>
        <translation>Ein Schritt, der sich rückgängig machen lässt; was gewählt wurde, bleibt bei den Operatoren, die es noch gibt</translation>
    </message>
    <message>
        <source>Keep what is open</source>
        <translation>Das Geöffnete behalten</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; was changed on disk.</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; wurde auf der Platte geändert.</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; is no longer there. What is open is whole: a project or an export keeps it.</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; ist nicht mehr da. Was offen ist, ist vollständig: ein Projekt oder ein Export bewahrt es.</translation>
    </message>
</context>
<context>
    <name>partita::FindBar</name>
    <message>
        <source>Find in the text</source>
        <translation>Im Text suchen</translation>
    </message>
    <message>
        <source>Enter: next, Shift+Enter: previous, Esc: close</source>
        <translation>Eingabe: nächster, Umschalt+Eingabe: voriger, Esc: schließen</translation>
    </message>
    <message>
        <source>Previous hit (Shift+Enter)</source>
        <translation>Voriger Treffer (Umschalt+Eingabe)</translation>
    </message>
    <message>
        <source>Previous hit</source>
        <translation>Voriger Treffer</translation>
    </message>
    <message>
        <source>Next hit (Enter)</source>
        <translation>Nächster Treffer (Eingabe)</translation>
    </message>
    <message>
        <source>Next hit</source>
        <translation>Nächster Treffer</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Schließen (Esc)</translation>
    </message>
    <message>
        <source>Close the search</source>
        <translation>Die Suche schließen</translation>
    </message>
    <message>
        <source>no hit</source>
        <translation>kein Treffer</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>partita::FlowMenu</name>
    <message>
        <source>F&amp;low</source>
        <translation>A&amp;blauf</translation>
    </message>
    <message>
        <source>&amp;Annotate</source>
        <translation>&amp;Annotieren</translation>
    </message>
    <message>
        <source>Give operators to backends by the backends&apos; rules</source>
        <translation>Operatoren nach den Regeln der Backends verteilen</translation>
    </message>
    <message>
        <source>annotate by rules</source>
        <translation>nach Regeln annotieren</translation>
    </message>
    <message>
        <source>&amp;Merge</source>
        <translation>&amp;Verschmelzen</translation>
    </message>
    <message>
        <source>Merge neighbouring regions of one backend</source>
        <translation>Benachbarte Regionen eines Backends verschmelzen</translation>
    </message>
    <message>
        <source>merge regions</source>
        <translation>Regionen verschmelzen</translation>
    </message>
    <message>
        <source>&amp;Partition</source>
        <translation>&amp;Partitionieren</translation>
    </message>
    <message>
        <source>Make each region a function of its own</source>
        <translation>Jede Region zu einer eigenen Funktion machen</translation>
    </message>
    <message>
        <source>partition</source>
        <translation>partitionieren</translation>
    </message>
    <message>
        <source>&amp;Next pass</source>
        <translation>&amp;Nächster Durchgang</translation>
    </message>
    <message>
        <source>Annotate, then merge, then partition</source>
        <translation>Annotieren, dann verschmelzen, dann partitionieren</translation>
    </message>
    <message>
        <source>&amp;Whole flow</source>
        <translation>&amp;Ganzer Ablauf</translation>
    </message>
    <message>
        <source>Annotate, merge and partition in one step</source>
        <translation>In einem Schritt annotieren, verschmelzen und partitionieren</translation>
    </message>
    <message>
        <source>whole flow</source>
        <translation>ganzer Ablauf</translation>
    </message>
    <message>
        <source>As the rules&apos; &amp;file does</source>
        <translation>Wie es die &amp;Datei der Regeln macht</translation>
    </message>
    <message>
        <source>The passes that the Python file of the only backend names in its partition_for function</source>
        <translation>Die Durchläufe, die die Python-Datei des einzigen Backends in ihrer Funktion partition_for nennt</translation>
    </message>
    <message>
        <source>It takes one backend, of a Python file with a function partition_for_...</source>
        <translation>Dazu braucht es ein einziges Backend aus einer Python-Datei mit einer Funktion partition_for_…</translation>
    </message>
    <message>
        <source>&amp;Start over</source>
        <translation>Von &amp;vorn</translation>
    </message>
    <message>
        <source>Take all passes and assignments back</source>
        <translation>Alle Durchgänge und Zuweisungen zurücknehmen</translation>
    </message>
    <message>
        <source>&amp;tvm: annotate, merge, partition</source>
        <translation>&amp;tvm: annotieren, verbinden, partitionieren</translation>
    </message>
    <message>
        <source>Relay&apos;s flow, as in Apache TVM 0.9</source>
        <translation>Relays Ablauf, wie in Apache TVM 0.9</translation>
    </message>
    <message>
        <source>&amp;Divide by</source>
        <translation>Aufteilen &amp;durch</translation>
    </message>
    <message>
        <source>A division</source>
        <translation>Eine Aufteilung</translation>
    </message>
    <message>
        <source>Divisions (*.json);;All files (*)</source>
        <translation>Aufteilungen (*.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>divide by %1</source>
        <translation>aufteilen durch %1</translation>
    </message>
    <message>
        <source>Op&amp;tions of the division…</source>
        <translation>Op&amp;tionen der Aufteilung…</translation>
    </message>
    <message>
        <source>What the algorithm under Divide by can be told: sizes, releases, files, a budget</source>
        <translation>Was man dem Verfahren unter Aufteilen durch sagen kann: Größen, Ausgaben, Dateien, ein Budget</translation>
    </message>
    <message>
        <source>&amp;Lower to Relay&apos;s operators first</source>
        <translation>Zuerst in Relays Operatoren zer&amp;legen</translation>
    </message>
    <message>
        <source>Write operators that Relay and TVM do not have, such as nn.attention, as Relay&apos;s own; assignments by hand are cleared</source>
        <translation>Operatoren, die Relay und TVM nicht haben, wie nn.attention, mit Relays eigenen schreiben; Zuweisungen von Hand werden gelöscht</translation>
    </message>
    <message>
        <source>lower</source>
        <translation>zerlegen</translation>
    </message>
    <message>
        <source>S&amp;implify first</source>
        <translation>Zuerst vere&amp;infachen</translation>
    </message>
    <message>
        <source>Simplify inference (batch_norm, dropout) and fold constants; assignments by hand are cleared</source>
        <translation>Inferenz vereinfachen (batch_norm, dropout) und Konstanten falten; Zuweisungen von Hand werden gelöscht</translation>
    </message>
    <message>
        <source>simplify</source>
        <translation>vereinfachen</translation>
    </message>
    <message>
        <source>Fold c&amp;onstants first</source>
        <translation>Zuerst K&amp;onstanten falten</translation>
    </message>
    <message>
        <source>Compute what depends on constants alone; assignments by hand are cleared</source>
        <translation>Berechnen, was allein von Konstanten abhängt; Zuweisungen von Hand werden gelöscht</translation>
    </message>
    <message>
        <source>fold constants</source>
        <translation>Konstanten falten</translation>
    </message>
    <message>
        <source>Simplifying folds constants too</source>
        <translation>Das Vereinfachen faltet auch Konstanten</translation>
    </message>
    <message>
        <source>Use &amp;composite patterns</source>
        <translation>&amp;Muster verwenden</translation>
    </message>
    <message>
        <source>Match the backends&apos; patterns before annotating</source>
        <translation>Vor dem Annotieren die Muster der Backends suchen</translation>
    </message>
    <message>
        <source>composite patterns</source>
        <translation>Muster</translation>
    </message>
    <message>
        <source>Include &amp;tuples and projections</source>
        <translation>&amp;Tupel und Projektionen einbeziehen</translation>
    </message>
    <message>
        <source>Tuples, projections and references go where their operands go (include_non_call_ops)</source>
        <translation>Tupel, Projektionen und Referenzen gehen dorthin, wohin ihre Operanden gehen (include_non_call_ops)</translation>
    </message>
    <message>
        <source>include tuples and projections</source>
        <translation>Tupel und Projektionen einbeziehen</translation>
    </message>
    <message>
        <source>&amp;Bind constants</source>
        <translation>&amp;Konstanten binden</translation>
    </message>
    <message>
        <source>Put constant inputs into the sub-functions</source>
        <translation>Konstante Eingaben in die Teilfunktionen aufnehmen</translation>
    </message>
    <message>
        <source>bind constants</source>
        <translation>Konstanten binden</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Ausführen</translation>
    </message>
    <message>
        <source>Run the module, measure each region and compare the outputs</source>
        <translation>Das Modul ausführen, jede Region messen und die Ausgaben vergleichen</translation>
    </message>
    <message>
        <source>A run is going on</source>
        <translation>Eine Ausführung läuft</translation>
    </message>
    <message>
        <source>Inp&amp;uts of the run…</source>
        <translation>Ein&amp;gaben des Laufs…</translation>
    </message>
    <message>
        <source>Ctrl+I</source>
        <translation>Ctrl+I</translation>
    </message>
    <message>
        <source>Which values the inputs get: made ones, or your own arrays and images</source>
        <translation>Welche Werte die Eingaben bekommen: erfundene, oder eigene Felder und Bilder</translation>
    </message>
    <message>
        <source>Place &amp;by time</source>
        <translation>Nach &amp;Zeit platzieren</translation>
    </message>
    <message>
        <source>Ctrl+Shift+B</source>
        <translation>Ctrl+Shift+B</translation>
    </message>
    <message>
        <source>Measure the parts of the module and give every operator to the backend with which a run takes least</source>
        <translation>Die Teile des Moduls messen und jeden Operator dem Backend geben, mit dem ein Lauf am kürzesten dauert</translation>
    </message>
    <message>
        <source>Place by time, measuring a&amp;new</source>
        <translation>Nach Zeit platzieren, &amp;neu messen</translation>
    </message>
    <message>
        <source>Place by time, and measure also what is known of these operators from earlier</source>
        <translation>Nach Zeit platzieren und auch messen, was von diesen Operatoren schon bekannt ist</translation>
    </message>
    <message>
        <source>&amp;Costs of the placement…</source>
        <translation>&amp;Kosten der Platzierung…</translation>
    </message>
    <message>
        <source>What was measured, what other placements cost, and which operators could move</source>
        <translation>Was gemessen wurde, was andere Platzierungen kosten und welche Operatoren wechseln könnten</translation>
    </message>
    <message>
        <source>Place by time first (Ctrl+Shift+B)</source>
        <translation>Erst nach Zeit platzieren (Strg+Umschalt+B)</translation>
    </message>
    <message>
        <source>Compare re&amp;gions</source>
        <translation>Re&amp;gionen vergleichen</translation>
    </message>
    <message>
        <source>Run again and hold what each region gives against the same region on default; the first that differs is selected</source>
        <translation>Noch einmal ausführen und was jede Region ergibt mit derselben Region auf default vergleichen; die erste abweichende wird ausgewählt</translation>
    </message>
    <message>
        <source>&amp;Bisect</source>
        <translation>Ein&amp;grenzen</translation>
    </message>
    <message>
        <source>Find the operator that a backend computes otherwise than default, or that its compiler refuses</source>
        <translation>Den Operator finden, den ein Backend anders rechnet als default oder den sein Compiler ablehnt</translation>
    </message>
    <message>
        <source>What was as&amp;ked</source>
        <translation>Was gefrag&amp;t wurde</translation>
    </message>
    <message>
        <source>All that the rules were asked about the selected operator, taken or refused, with values</source>
        <translation>Alles, was die Regeln zum ausgewählten Operator gefragt wurden, angenommen oder abgelehnt, mit Werten</translation>
    </message>
    <message>
        <source>Predic&amp;t the regions</source>
        <translation>Regionen &amp;vorhersagen</translation>
    </message>
    <message>
        <source>Mark the regions of the open graph yourself, then compare</source>
        <translation>Die Regionen des geöffneten Graphen selbst markieren, dann vergleichen</translation>
    </message>
    <message>
        <source>Mark as a re&amp;gion</source>
        <translation>Als Re&amp;gion markieren</translation>
    </message>
    <message>
        <source>While predicting: the selected operators are one region</source>
        <translation>Beim Vorhersagen: die gewählten Operatoren sind eine Region</translation>
    </message>
    <message>
        <source>Start with Flow › Predict the regions</source>
        <translation>Mit Ablauf › Regionen vorhersagen beginnen</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>Ctrl+.</source>
        <translation>Ctrl+.</translation>
    </message>
    <message>
        <source>Cancel what is running</source>
        <translation>Abbrechen, was gerade läuft</translation>
    </message>
    <message>
        <source>Nothing is running</source>
        <translation>Es läuft nichts</translation>
    </message>
    <message>
        <source>Nothing goes to a backend yet: annotate (F6), or give operators to one (keys 1 to 9).</source>
        <translation>Noch geht nichts an ein Backend: annotieren (F6) oder einem Operatoren geben (Tasten 1 bis 9).</translation>
    </message>
    <message>
        <source>as the file does</source>
        <translation>wie es die Datei macht</translation>
    </message>
    <message>
        <source>As %1 does: %2</source>
        <translation>Wie %1 es macht: %2</translation>
    </message>
    <message>
        <source>%1. Left out: %2</source>
        <translation>%1. Ausgelassen: %2</translation>
    </message>
    <message>
        <source>All passes were made.</source>
        <translation>Alle Durchgänge sind gemacht.</translation>
    </message>
    <message>
        <source>start over</source>
        <translation>von vorn</translation>
    </message>
</context>
<context>
    <name>partita::FunctionAttributeDialog</name>
    <message>
        <source>Attribute of %1</source>
        <translation>Attribut von %1</translation>
    </message>
    <message>
        <source>&amp;Attribute</source>
        <translation>&amp;Attribut</translation>
    </message>
    <message>
        <source>&amp;Value</source>
        <translation>&amp;Wert</translation>
    </message>
    <message>
        <source>Why it was refused</source>
        <translation>Warum es abgelehnt wurde</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>Setzen</translation>
    </message>
    <message>
        <source>Take away</source>
        <translation>Wegnehmen</translation>
    </message>
    <message>
        <source>not set; a number, text or a list such as 1, 1</source>
        <translation>nicht gesetzt; eine Zahl, Text oder eine Liste wie 1, 1</translation>
    </message>
    <message>
        <source>The function has no such attribute</source>
        <translation>Die Funktion hat kein solches Attribut</translation>
    </message>
    <message>
        <source>%1 is no name</source>
        <translation>%1 ist kein Name</translation>
    </message>
</context>
<context>
    <name>partita::GraphEditor</name>
    <message>
        <source>Open a module first</source>
        <translation>Zuerst ein Modul öffnen</translation>
    </message>
    <message>
        <source>An edit is going on</source>
        <translation>Eine Änderung läuft</translation>
    </message>
    <message>
        <source>The partitioned module follows from the other: edit that one</source>
        <translation>Das partitionierte Modul folgt aus dem anderen: jenes ändern</translation>
    </message>
    <message>
        <source>Select operators first</source>
        <translation>Zuerst Operatoren wählen</translation>
    </message>
    <message>
        <source>Choose an edge first: click it, or press E on a node</source>
        <translation>Zuerst eine Kante wählen: anklicken, oder E auf einem Knoten</translation>
    </message>
    <message>
        <source>Select an operator or choose an edge first</source>
        <translation>Zuerst einen Operator oder eine Kante wählen</translation>
    </message>
    <message>
        <source>Select one operator first</source>
        <translation>Zuerst einen Operator wählen</translation>
    </message>
    <message>
        <source>Select one operator or parameter, or nothing for the function</source>
        <translation>Einen Operator oder Parameter wählen, oder nichts für die Funktion</translation>
    </message>
    <message>
        <source>Select a parameter first</source>
        <translation>Zuerst einen Parameter wählen</translation>
    </message>
    <message>
        <source>Select a call of a function first</source>
        <translation>Zuerst den Aufruf einer Funktion wählen</translation>
    </message>
    <message>
        <source>The file carries its annotations already</source>
        <translation>Die Datei trägt ihre Annotationen schon</translation>
    </message>
    <message>
        <source>Annotate first, or give operators to a backend</source>
        <translation>Zuerst annotieren oder Operatoren einem Backend geben</translation>
    </message>
    <message>
        <source>the output</source>
        <translation>die Ausgabe</translation>
    </message>
    <message>
        <source>between %1 and %2</source>
        <translation>zwischen %1 und %2</translation>
    </message>
    <message>
        <source>after %1, before all that use it</source>
        <translation>nach %1, vor allem, was es benutzt</translation>
    </message>
    <message>
        <source>only between %1 and %2</source>
        <translation>nur zwischen %1 und %2</translation>
    </message>
    <message>
        <source>as a new output</source>
        <translation>als neue Ausgabe</translation>
    </message>
    <message>
        <source>insert %1</source>
        <translation>%1 einfügen</translation>
    </message>
    <message>
        <source>delete %1</source>
        <translation>%1 löschen</translation>
    </message>
    <message numerus="yes">
        <source>delete %n expression(s)</source>
        <translation>
            <numerusform>%n Ausdruck löschen</numerusform>
            <numerusform>%n Ausdrücke löschen</numerusform>
        </translation>
    </message>
    <message>
        <source>Exchange the operator</source>
        <translation>Den Operator austauschen</translation>
    </message>
    <message>
        <source>Call instead of %1, with the same operands:</source>
        <translation>Statt %1 mit denselben Operanden aufrufen:</translation>
    </message>
    <message>
        <source>There is no operator %1</source>
        <translation>Es gibt keinen Operator %1</translation>
    </message>
    <message>
        <source>exchange for %1</source>
        <translation>durch %1 ersetzen</translation>
    </message>
    <message>
        <source>make an input</source>
        <translation>zum Eingang machen</translation>
    </message>
    <message>
        <source>rewire to %1</source>
        <translation>an %1 anschließen</translation>
    </message>
    <message>
        <source>Rename the function</source>
        <translation>Die Funktion umbenennen</translation>
    </message>
    <message>
        <source>New name of @%1:</source>
        <translation>Neuer Name von @%1:</translation>
    </message>
    <message>
        <source>rename @%1</source>
        <translation>@%1 umbenennen</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>New name of %%1:</source>
        <translation>Neuer Name von %%1:</translation>
    </message>
    <message>
        <source>Name for %1:</source>
        <translation>Name für %1:</translation>
    </message>
    <message>
        <source>rename to %1</source>
        <translation>in %1 umbenennen</translation>
    </message>
    <message>
        <source>Type of the parameter</source>
        <translation>Typ des Parameters</translation>
    </message>
    <message>
        <source>Type of %%1:</source>
        <translation>Typ von %%1:</translation>
    </message>
    <message>
        <source>change a type</source>
        <translation>einen Typ ändern</translation>
    </message>
    <message>
        <source>Make a function of the selection</source>
        <translation>Aus der Auswahl eine Funktion machen</translation>
    </message>
    <message>
        <source>Name of the function:</source>
        <translation>Name der Funktion:</translation>
    </message>
    <message>
        <source>make @%1</source>
        <translation>@%1 anlegen</translation>
    </message>
    <message>
        <source>inline %1</source>
        <translation>%1 einsetzen</translation>
    </message>
    <message>
        <source>take attribute %1 away</source>
        <translation>Attribut %1 wegnehmen</translation>
    </message>
    <message>
        <source>set attribute %1</source>
        <translation>Attribut %1 setzen</translation>
    </message>
    <message>
        <source>There is no Relay text on the clipboard</source>
        <translation>In der Zwischenablage ist kein Relay-Text</translation>
    </message>
    <message>
        <source>paste</source>
        <translation>einfügen</translation>
    </message>
    <message>
        <source>paste after the selection</source>
        <translation>nach der Auswahl einfügen</translation>
    </message>
    <message>
        <source>input %1</source>
        <translation>Eingang %1</translation>
    </message>
    <message>
        <source>%1: it would depend on itself</source>
        <translation>%1: er hinge von sich selbst ab</translation>
    </message>
    <message>
        <source>feed %1 by %2</source>
        <translation>%1 aus %2 speisen</translation>
    </message>
    <message>
        <source>Regions are of backends: all that is selected is on default</source>
        <translation>Regionen gehören Backends: Alles Gewählte liegt auf default</translation>
    </message>
    <message>
        <source>this edge can&apos;t be dragged</source>
        <translation>diese Kante lässt sich nicht ziehen</translation>
    </message>
    <message>
        <source>open the group first</source>
        <translation>erst die Gruppe öffnen</translation>
    </message>
    <message>
        <source>it would depend on itself</source>
        <translation>es hinge von sich selbst ab</translation>
    </message>
    <message>
        <source>Select an operator that is a result of the module</source>
        <translation>Wählen Sie einen Operator, der ein Ergebnis des Moduls ist</translation>
    </message>
    <message>
        <source>Name of the output</source>
        <translation>Name der Ausgabe</translation>
    </message>
    <message>
        <source>New name of the output %1:</source>
        <translation>Neuer Name der Ausgabe %1:</translation>
    </message>
    <message>
        <source>rename the output %1</source>
        <translation>Ausgabe umbenennen: %1</translation>
    </message>
</context>
<context>
    <name>partita::GraphMenu</name>
    <message>
        <source>&amp;Graph</source>
        <translation>&amp;Graph</translation>
    </message>
    <message>
        <source>&amp;Insert an operator…</source>
        <translation>Operator &amp;einfügen…</translation>
    </message>
    <message>
        <source>On the chosen edge, after the selection, or as an output</source>
        <translation>Auf der gewählten Kante, nach der Auswahl, oder als Ausgabe</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <source>Take the selection out; its users get its operands</source>
        <translation>Die Auswahl herausnehmen; ihre Benutzer bekommen ihre Operanden</translation>
    </message>
    <message>
        <source>E&amp;xchange the operator…</source>
        <translation>Operator &amp;austauschen…</translation>
    </message>
    <message>
        <source>Call another operator with the same operands</source>
        <translation>Einen anderen Operator mit denselben Operanden aufrufen</translation>
    </message>
    <message>
        <source>Re&amp;name…</source>
        <translation>&amp;Umbenennen…</translation>
    </message>
    <message>
        <source>The selected parameter or operator; with nothing selected, the function</source>
        <translation>Den gewählten Parameter oder Operator; ist nichts gewählt, die Funktion</translation>
    </message>
    <message>
        <source>Name of the o&amp;utput…</source>
        <translation>Name der A&amp;usgabe …</translation>
    </message>
    <message>
        <source>The selected operator is a result of the module: how that is called in files</source>
        <translation>Der gewählte Operator ist ein Ergebnis des Moduls: wie es in Dateien heißt</translation>
    </message>
    <message>
        <source>T&amp;ype of the parameter…</source>
        <translation>T&amp;yp des Parameters…</translation>
    </message>
    <message>
        <source>Give the selected parameter another type</source>
        <translation>Dem gewählten Parameter einen anderen Typ geben</translation>
    </message>
    <message>
        <source>&amp;Choose the next input edge</source>
        <translation>Nächste E&amp;ingangskante wählen</translation>
    </message>
    <message>
        <source>Of the operator with the keyboard&apos;s focus; edges can be clicked, too</source>
        <translation>Des Operators, auf dem die Tastatur steht; Kanten lassen sich auch anklicken</translation>
    </message>
    <message>
        <source>&amp;Make the edge an input</source>
        <translation>Kante zum Ein&amp;gang machen</translation>
    </message>
    <message>
        <source>A new parameter takes the place of the edge&apos;s source</source>
        <translation>Ein neuer Parameter tritt an die Stelle der Quelle der Kante</translation>
    </message>
    <message>
        <source>Make a &amp;function…</source>
        <translation>&amp;Funktion bilden…</translation>
    </message>
    <message>
        <source>Ctrl+G</source>
        <translation>Ctrl+G</translation>
    </message>
    <message>
        <source>The selection becomes a function, called in its place</source>
        <translation>Die Auswahl wird eine Funktion, die an ihrer Stelle aufgerufen wird</translation>
    </message>
    <message>
        <source>In&amp;line the call</source>
        <translation>Aufruf ein&amp;setzen</translation>
    </message>
    <message>
        <source>Ctrl+Shift+G</source>
        <translation>Ctrl+Shift+G</translation>
    </message>
    <message>
        <source>Put the body of the called function in the call&apos;s place</source>
        <translation>Den Rumpf der aufgerufenen Funktion an die Stelle des Aufrufs setzen</translation>
    </message>
    <message>
        <source>Attribute of the f&amp;unction…</source>
        <translation>Attri&amp;but der Funktion…</translation>
    </message>
    <message>
        <source>Set or take away an attribute, such as Compiler</source>
        <translation>Ein Attribut setzen oder wegnehmen, etwa Compiler</translation>
    </message>
    <message>
        <source>C&amp;opy as Relay text</source>
        <translation>Als Relay-Text &amp;kopieren</translation>
    </message>
    <message>
        <source>Copy the selection as a function</source>
        <translation>Die Auswahl als Funktion kopieren</translation>
    </message>
    <message>
        <source>The selection is on the clipboard as Relay text.</source>
        <translation>Die Auswahl ist als Relay-Text in der Zwischenablage.</translation>
    </message>
    <message>
        <source>&amp;Paste Relay text</source>
        <translation>Relay-Text e&amp;infügen</translation>
    </message>
    <message>
        <source>What is selected becomes its inputs; its result becomes an output</source>
        <translation>Die Auswahl wird zu seinen Eingängen; sein Ergebnis wird eine Ausgabe</translation>
    </message>
    <message>
        <source>Paste &amp;after the selection</source>
        <translation>&amp;Nach der Auswahl einfügen</translation>
    </message>
    <message>
        <source>Ctrl+Alt+V</source>
        <translation>Ctrl+Alt+V</translation>
    </message>
    <message>
        <source>Those that use the selection use the result instead</source>
        <translation>Was die Auswahl benutzt, benutzt stattdessen das Ergebnis</translation>
    </message>
</context>
<context>
    <name>partita::GraphModel</name>
    <message>
        <source>tuple of %1</source>
        <translation>Tupel aus %1</translation>
    </message>
    <message>
        <source>field %1</source>
        <translation>Feld %1</translation>
    </message>
    <message>
        <source>composite</source>
        <translation>zusammengesetzt</translation>
    </message>
    <message>
        <source>, … %1 fields</source>
        <translation>, … %1 Felder</translation>
    </message>
</context>
<context>
    <name>partita::GraphPage</name>
    <message>
        <source>%1 partitioned</source>
        <translation>%1 partitioniert</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Laying out %1</source>
        <translation>%1 wird angeordnet</translation>
    </message>
    <message>
        <source>No picture: %1</source>
        <translation>Kein Bild: %1</translation>
    </message>
    <message>
        <source>Laying out the new division…</source>
        <translation>Die neue Aufteilung wird angeordnet…</translation>
    </message>
    <message>
        <source>Laying out the graph…</source>
        <translation>Der Graph wird angeordnet…</translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation>Zu %1</translation>
    </message>
    <message>
        <source>The picture was stopped.</source>
        <translation>Das Zeichnen wurde angehalten.</translation>
    </message>
    <message>
        <source>Draw it</source>
        <translation>Zeichnen</translation>
    </message>
    <message>
        <source>reading the graph</source>
        <translation>Graph wird gelesen</translation>
    </message>
    <message>
        <source>finding groups</source>
        <translation>Gruppen werden gesucht</translation>
    </message>
    <message numerus="yes">
        <source>placing %n node(s)</source>
        <translation>
            <numerusform>%n Knoten wird platziert</numerusform>
            <numerusform>%n Knoten werden platziert</numerusform>
        </translation>
    </message>
    <message>
        <source>Searching</source>
        <translation>Suche läuft</translation>
    </message>
    <message>
        <source>Looking for blocks</source>
        <translation>Blöcke werden gesucht</translation>
    </message>
    <message>
        <source>Colouring by queries</source>
        <translation>Nach Anfragen färben</translation>
    </message>
</context>
<context>
    <name>partita::GraphView</name>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Backend: %1</source>
        <translation>Backend: %1</translation>
    </message>
    <message>
        <source>Region: %1</source>
        <translation>Region: %1</translation>
    </message>
    <message>
        <source>Given by hand</source>
        <translation>Von Hand zugewiesen</translation>
    </message>
    <message>
        <source>%1: %2 %</source>
        <translation>%1: %2 %</translation>
    </message>
    <message>
        <source>Enter or a double click opens the group</source>
        <translation>Enter oder ein Doppelklick öffnet die Gruppe</translation>
    </message>
</context>
<context>
    <name>partita::GroupsNotice</name>
    <message>
        <source>Open all</source>
        <translation>Alle öffnen</translation>
    </message>
    <message>
        <source>Show every operator; this may take a while and can be stopped</source>
        <translation>Jeden Operator zeigen; das kann dauern und lässt sich anhalten</translation>
    </message>
    <message>
        <source>Close all</source>
        <translation>Alle schließen</translation>
    </message>
    <message>
        <source>Show the outermost groups</source>
        <translation>Die äußersten Gruppen zeigen</translation>
    </message>
    <message>
        <source>All groups are open.</source>
        <translation>Alle Gruppen sind offen.</translation>
    </message>
    <message numerus="yes">
        <source>%1 nodes, with %n group(s) closed. Enter or a double click opens a group, C closes the one round a node.</source>
        <translation>
            <numerusform>%1 Knoten, %n Gruppe geschlossen. Enter oder ein Doppelklick öffnet eine Gruppe, C schließt die um einen Knoten.</numerusform>
            <numerusform>%1 Knoten, %n Gruppen geschlossen. Enter oder ein Doppelklick öffnet eine Gruppe, C schließt die um einen Knoten.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::Handouts</name>
    <message>
        <source>&amp;To predict this graph…</source>
        <translation>Diesen Graphen &amp;vorhersagen…</translation>
    </message>
    <message>
        <source>Of &amp;all lessons…</source>
        <translation>&amp;Aller Lektionen…</translation>
    </message>
    <message>
        <source>lessons</source>
        <translation>Lektionen</translation>
    </message>
    <message>
        <source>Of this &amp;lesson…</source>
        <translation>Dieser &amp;Lektion…</translation>
    </message>
    <message>
        <source>Of the chapter “%1”…</source>
        <translation>Des Kapitels „%1“…</translation>
    </message>
    <message>
        <source>Export a hand-out</source>
        <translation>Arbeitsblatt exportieren</translation>
    </message>
    <message>
        <source>Pages (*.pdf)</source>
        <translation>Seiten (*.pdf)</translation>
    </message>
    <message>
        <source>Exporting %1</source>
        <translation>%1 wird exportiert</translation>
    </message>
    <message>
        <source>On paper of size %1</source>
        <translation>Auf Papier der Größe %1</translation>
    </message>
    <message>
        <source>A4</source>
        <translation>A4</translation>
    </message>
    <message>
        <source>Letter</source>
        <translation>Letter</translation>
    </message>
</context>
<context>
    <name>partita::HeatLegend</name>
    <message>
        <source>An operator&apos;s colour on the graph stands for its time, from none to the longest one&apos;s</source>
        <translation>Die Farbe eines Operators im Graphen steht für seine Zeit, von keiner bis zur längsten</translation>
    </message>
    <message>
        <source>Heat: from 0 to %1</source>
        <translation>Wärme: von 0 bis %1</translation>
    </message>
</context>
<context>
    <name>partita::HelpMenu</name>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>How to use Partita</source>
        <translation>Wie man Partita benutzt</translation>
    </message>
    <message>
        <source>About the &amp;operator</source>
        <translation>Über den &amp;Operator</translation>
    </message>
    <message>
        <source>?</source>
        <translation>?</translation>
    </message>
    <message>
        <source>What the selected operator computes, its attributes, shapes and names; follows the selection</source>
        <translation>Was der ausgewählte Operator berechnet, seine Attribute, Formen und Namen; folgt der Auswahl</translation>
    </message>
    <message>
        <source>Select an operator first</source>
        <translation>Erst einen Operator auswählen</translation>
    </message>
    <message>
        <source>&amp;Lessons</source>
        <translation>&amp;Lektionen</translation>
    </message>
    <message>
        <source>Small graphs with steps and questions</source>
        <translation>Kleine Graphen mit Schritten und Fragen</translation>
    </message>
    <message>
        <source>Next &amp;page of the lesson</source>
        <translation>Nächste &amp;Seite der Lektion</translation>
    </message>
    <message>
        <source>Alt+PgDown</source>
        <translation>Alt+PgDown</translation>
    </message>
    <message>
        <source>Page &amp;before</source>
        <translation>Seite da&amp;vor</translation>
    </message>
    <message>
        <source>Alt+PgUp</source>
        <translation>Alt+PgUp</translation>
    </message>
    <message>
        <source>Chec&amp;k the answer</source>
        <translation>Die Antwort &amp;prüfen</translation>
    </message>
    <message>
        <source>Alt+Return</source>
        <translation>Alt+Return</translation>
    </message>
    <message>
        <source>Hold the answer to the page&apos;s question against the right one</source>
        <translation>Die Antwort auf die Frage der Seite mit der richtigen vergleichen</translation>
    </message>
    <message>
        <source>This page asks no question</source>
        <translation>Diese Seite stellt keine Frage</translation>
    </message>
    <message>
        <source>Ne&amp;w lesson from this graph</source>
        <translation>Neue Lektion aus diesem &amp;Graphen</translation>
    </message>
    <message>
        <source>Write a lesson: text, the graph as it is now, questions by pointing at it</source>
        <translation>Eine Lektion schreiben: Text, den Graphen, wie er jetzt ist, und Fragen durch Zeigen auf ihn</translation>
    </message>
    <message>
        <source>&amp;Edit the lesson</source>
        <translation>Lektion &amp;bearbeiten</translation>
    </message>
    <message>
        <source>The lesson that is open, or that is being written; one that ships is edited as a copy</source>
        <translation>Die offene Lektion oder die, die geschrieben wird; eine mitgelieferte wird als Kopie bearbeitet</translation>
    </message>
    <message>
        <source>Open the lessons&apos; &amp;folder</source>
        <translation>&amp;Ordner der Lektionen öffnen</translation>
    </message>
    <message>
        <source>Where lessons of your own are put; they are read again whenever they are saved</source>
        <translation>Wohin eigene Lektionen kommen; sie werden bei jedem Speichern neu gelesen</translation>
    </message>
    <message>
        <source>&amp;Commands…</source>
        <translation>&amp;Befehle…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+P</source>
        <translation>Ctrl+Shift+P</translation>
    </message>
    <message>
        <source>Find and run any command</source>
        <translation>Jeden Befehl finden und ausführen</translation>
    </message>
    <message>
        <source>&amp;About Partita</source>
        <translation>Ü&amp;ber Partita</translation>
    </message>
    <message>
        <source>About Partita</source>
        <translation>Über Partita</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Partita %1&lt;/h3&gt;&lt;p&gt;See how a neural-network graph is divided among compilers, change the division, and run the result.&lt;/p&gt;&lt;p&gt;Built with Qt %2, Graphviz and oneDNN.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;Partita %1&lt;/h3&gt;&lt;p&gt;Sehen, wie der Graph eines neuronalen Netzes auf Compiler verteilt wird, die Aufteilung ändern und das Ergebnis ausführen.&lt;/p&gt;&lt;p&gt;Erstellt mit Qt %2, Graphviz und oneDNN.&lt;/p&gt;</translation>
    </message>
</context>
<context>
    <name>partita::HelpWindow</name>
    <message>
        <source>Not on this page</source>
        <translation>Nicht auf dieser Seite</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Back to the page before (Alt+Left)</source>
        <translation>Zurück zur Seite davor (Alt+Links)</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Find in the help</source>
        <translation>In der Hilfe suchen</translation>
    </message>
    <message>
        <source>Headings</source>
        <translation>Überschriften</translation>
    </message>
</context>
<context>
    <name>partita::HintList</name>
    <message>
        <source>Who answers %1 reads:</source>
        <translation>Wer %1 antwortet, liest:</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
</context>
<context>
    <name>partita::HitList</name>
    <message>
        <source>Hits of the search</source>
        <translation>Treffer der Suche</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>Funktion</translation>
    </message>
    <message>
        <source>The first %1 of %2 hits.</source>
        <translation>Die ersten %1 von %2 Treffern.</translation>
    </message>
    <message numerus="yes">
        <source>%n function(s) were not searched: the module has too many.</source>
        <translation>
            <numerusform>%n Funktion wurde nicht durchsucht: das Modul hat zu viele.</numerusform>
            <numerusform>%n Funktionen wurden nicht durchsucht: das Modul hat zu viele.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::InputsDialog</name>
    <message>
        <source>&amp;Choose a file…</source>
        <translation>&amp;Datei wählen…</translation>
    </message>
    <message>
        <source>&amp;Make it</source>
        <translation>&amp;Erfinden</translation>
    </message>
    <message>
        <source>Inputs of the run</source>
        <translation>Eingaben des Laufs</translation>
    </message>
    <message>
        <source>Runs and comparisons give these values to the inputs. Choose a file, or drop one on a row: an array of NumPy (.npy, or .npz with several), or an image.</source>
        <translation>Läufe und Vergleiche geben den Eingaben diese Werte. Wählen Sie eine Datei, oder ziehen Sie eine auf eine Zeile: ein Feld von NumPy (.npy, oder .npz mit mehreren) oder ein Bild.</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Give the input made values again</source>
        <translation>Der Eingabe wieder erfundene Werte geben</translation>
    </message>
    <message>
        <source>&amp;Layout of the image</source>
        <translation>&amp;Anordnung des Bilds</translation>
    </message>
    <message>
        <source>M&amp;ean</source>
        <translation>&amp;Mittel</translation>
    </message>
    <message>
        <source>&amp;Scale</source>
        <translation>Ma&amp;ßstab</translation>
    </message>
    <message>
        <source>Each element is (pixel − mean) / scale, pixels being from 0 to 255. One number, or three for red, green and blue: for ImageNet often 123.675, 116.28, 103.53 and 58.395, 57.12, 57.375</source>
        <translation>Jedes Element ist (Pixel − Mittel) / Maßstab, mit Pixeln von 0 bis 255. Eine Zahl, oder drei für Rot, Grün und Blau: für ImageNet oft 123.675, 116.28, 103.53 und 58.395, 57.12, 57.375</translation>
    </message>
    <message>
        <source>Reading inputs</source>
        <translation>Eingaben werden gelesen</translation>
    </message>
    <message>
        <source>made: %1</source>
        <translation>erfunden: %1</translation>
    </message>
    <message>
        <source>Values for %1</source>
        <translation>Werte für %1</translation>
    </message>
    <message>
        <source>Arrays and images (*.npy *.npz *.png *.jpg *.jpeg *.bmp);;All files (*)</source>
        <translation>Felder und Bilder (*.npy *.npz *.png *.jpg *.jpeg *.bmp);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>The scale is one number or three, separated by commas; none is 0.</source>
        <translation>Der Maßstab ist eine Zahl oder drei, durch Kommas getrennt; keine ist 0.</translation>
    </message>
    <message>
        <source>The mean is one number or three, separated by commas.</source>
        <translation>Das Mittel ist eine Zahl oder drei, durch Kommas getrennt.</translation>
    </message>
    <message>
        <source>The shape of this input is not of that layout.</source>
        <translation>Die Form dieser Eingabe hat nicht diese Anordnung.</translation>
    </message>
</context>
<context>
    <name>partita::InspectorPanel</name>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>Open a module to inspect it.</source>
        <translation>Ein Modul öffnen, um es zu untersuchen.</translation>
    </message>
    <message>
        <source>Explaining</source>
        <translation>Wird erklärt</translation>
    </message>
</context>
<context>
    <name>partita::InspectorStages</name>
    <message>
        <source>As read</source>
        <translation>Wie gelesen</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>Angezeigt</translation>
    </message>
    <message>
        <source>Composite</source>
        <translation>Composite</translation>
    </message>
    <message>
        <source>Annotate</source>
        <translation>Annotieren</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>Verschmelzen</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>Partitionieren</translation>
    </message>
    <message>
        <source>, line %1</source>
        <translation>, Zeile %1</translation>
    </message>
    <message>
        <source> inside %1</source>
        <translation> in %1</translation>
    </message>
    <message>
        <source> in %1</source>
        <translation> in %1</translation>
    </message>
    <message>
        <source>Following operators</source>
        <translation>Operatoren werden verfolgt</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n weiterer</numerusform>
            <numerusform>%n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>nothing of it</source>
        <translation>nichts davon</translation>
    </message>
    <message>
        <source>Came from, became</source>
        <translation>Woher, wohin</translation>
    </message>
    <message>
        <source>Of the same operator came %1</source>
        <translation>Aus demselben Operator wurde %1</translation>
    </message>
</context>
<context>
    <name>partita::Journal</name>
    <message>
        <source>can&apos;t write into %1</source>
        <translation>%1 lässt sich nicht beschreiben</translation>
    </message>
</context>
<context>
    <name>partita::LargeText</name>
    <message>
        <source>Colouring text</source>
        <translation>Text wird eingefärbt</translation>
    </message>
</context>
<context>
    <name>partita::Leaving</name>
    <message>
        <source>Save the project?</source>
        <translation>Projekt speichern?</translation>
    </message>
    <message>
        <source>%1 has changes that were not saved.</source>
        <translation>%1 hat Änderungen, die nicht gespeichert sind.</translation>
    </message>
</context>
<context>
    <name>partita::LessonDraft</name>
    <message>
        <source>Open a module first</source>
        <translation>Zuerst ein Modul öffnen</translation>
    </message>
    <message>
        <source>The weights of this module are too large for a lesson.</source>
        <translation>Die Gewichte dieses Moduls sind zu groß für eine Lektion.</translation>
    </message>
    <message>
        <source>This graph can&apos;t be written as text: it is another one when it is read again.</source>
        <translation>Dieser Graph lässt sich nicht als Text schreiben: Wieder gelesen ist er ein anderer.</translation>
    </message>
    <message>
        <source>My lesson</source>
        <translation>Meine Lektion</translation>
    </message>
    <message>
        <source>## The first page</source>
        <translation>## Die erste Seite</translation>
    </message>
    <message>
        <source>This lesson has no page.</source>
        <translation>Diese Lektion hat keine Seite.</translation>
    </message>
    <message>
        <source>Checking the lesson</source>
        <translation>Die Lektion wird geprüft</translation>
    </message>
    <message>
        <source>The lesson that was left can&apos;t be read.</source>
        <translation>Die zurückgelassene Lektion lässt sich nicht lesen.</translation>
    </message>
    <message>
        <source>This graph is too large for a lesson: it has more than 5000 expressions.</source>
        <translation>Dieser Graph ist zu groß für eine Lektion: Er hat mehr als 5000 Ausdrücke.</translation>
    </message>
</context>
<context>
    <name>partita::LessonEditor</name>
    <message>
        <source>A lesson is a graph with pages of text and questions. Open a graph, choose its backends, and begin.</source>
        <translation>Eine Lektion ist ein Graph mit Seiten aus Text und Fragen. Öffnen Sie einen Graphen, wählen Sie seine Backends, und beginnen Sie.</translation>
    </message>
    <message>
        <source>Another graph is open than the lesson&apos;s.</source>
        <translation>Ein anderer Graph als der der Lektion ist offen.</translation>
    </message>
    <message>
        <source>Open the lesson&apos;s</source>
        <translation>Den der Lektion öffnen</translation>
    </message>
    <message>
        <source>Take the open one</source>
        <translation>Den offenen nehmen</translation>
    </message>
    <message>
        <source>The lesson gets the graph that is open, and its backends</source>
        <translation>Die Lektion bekommt den offenen Graphen und seine Backends</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>Aufnehmen</translation>
    </message>
    <message>
        <source>The page shows the graph as it is in the window now: passes, assignments, order of backends</source>
        <translation>Die Seite zeigt den Graphen, wie er jetzt im Fenster ist: Durchläufe, Zuweisungen, Reihenfolge der Backends</translation>
    </message>
    <message>
        <source>The view goes to:</source>
        <translation>Die Ansicht geht zu:</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>Lektion</translation>
    </message>
    <message>
        <source>Save the lesson “%1” first?</source>
        <translation>Zuerst die Lektion „%1“ speichern?</translation>
    </message>
    <message>
        <source>page %1 of the lesson</source>
        <translation>Seite %1 der Lektion</translation>
    </message>
    <message>
        <source>## A page</source>
        <translation>## Eine Seite</translation>
    </message>
    <message>
        <source>annotated</source>
        <translation>annotiert</translation>
    </message>
    <message>
        <source>merged</source>
        <translation>verschmolzen</translation>
    </message>
    <message>
        <source>partitioned</source>
        <translation>partitioniert</translation>
    </message>
    <message>
        <source>not divided</source>
        <translation>nicht aufgeteilt</translation>
    </message>
    <message>
        <source>The graph is %1.</source>
        <translation>Der Graph ist %1.</translation>
    </message>
    <message>
        <source>Save the lesson</source>
        <translation>Die Lektion speichern</translation>
    </message>
    <message>
        <source>Lessons (*.json)</source>
        <translation>Lektionen (*.json)</translation>
    </message>
    <message>
        <source>%1 was written.</source>
        <translation>%1 wurde geschrieben.</translation>
    </message>
    <message>
        <source>New lesson</source>
        <translation>Neue Lektion</translation>
    </message>
    <message>
        <source>From the graph that is open</source>
        <translation>Aus dem offenen Graphen</translation>
    </message>
    <message>
        <source>Restore unsaved lesson</source>
        <translation>Ungespeicherte Lektion laden</translation>
    </message>
    <message>
        <source>Claims</source>
        <translation>Behauptungen</translation>
    </message>
    <message>
        <source>What is claimed of times holds here.</source>
        <translation>Was von Zeiten behauptet wird, gilt hier.</translation>
    </message>
    <message>
        <source>The graph is divided otherwise than on this page.</source>
        <translation>Der Graph ist anders geteilt als auf dieser Seite.</translation>
    </message>
</context>
<context>
    <name>partita::LessonEnd</name>
    <message>
        <source>Save answers…</source>
        <translation>Antworten speichern…</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>Neu beginnen</translation>
    </message>
    <message>
        <source>Forget the answers given here</source>
        <translation>Die hier gegebenen Antworten vergessen</translation>
    </message>
    <message>
        <source>Write the answers to a file that the teacher grades</source>
        <translation>Die Antworten in eine Datei schreiben, die die Lehrenden bewerten</translation>
    </message>
    <message>
        <source>For the teacher; a code will do</source>
        <translation>Für die Lehrenden; ein Kürzel genügt</translation>
    </message>
    <message>
        <source>Your name:</source>
        <translation>Ihr Name:</translation>
    </message>
    <message>
        <source>Write your name first</source>
        <translation>Schreiben Sie zuerst Ihren Namen</translation>
    </message>
</context>
<context>
    <name>partita::LessonFileBar</name>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>Ausprobieren</translation>
    </message>
    <message>
        <source>Faults</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Into the folder of your own lessons</source>
        <translation>In den Ordner Ihrer eigenen Lektionen</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern unter…</translation>
    </message>
    <message>
        <source>Page %1: %2</source>
        <translation>Seite %1: %2</translation>
    </message>
    <message>
        <source>Go through it as a learner</source>
        <translation>Als Lernender durchgehen</translation>
    </message>
    <message>
        <source>Mend the faults first</source>
        <translation>Zuerst die Fehler beheben</translation>
    </message>
    <message>
        <source>Not saved yet.</source>
        <translation>Noch nicht gespeichert.</translation>
    </message>
    <message>
        <source>%1, changed</source>
        <translation>%1, geändert</translation>
    </message>
</context>
<context>
    <name>partita::LessonHeading</name>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>Chapter</source>
        <translation>Kapitel</translation>
    </message>
    <message>
        <source>Aim: what is learned, in a line</source>
        <translation>Ziel: was man lernt, in einer Zeile</translation>
    </message>
</context>
<context>
    <name>partita::LessonList</name>
    <message>
        <source>Checking lessons</source>
        <translation>Lektionen werden geprüft</translation>
    </message>
</context>
<context>
    <name>partita::LessonPages</name>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Add page</source>
        <translation>Neue Seite</translation>
    </message>
    <message>
        <source>A page after this one, with the graph as it is in the window</source>
        <translation>Eine Seite nach dieser, mit dem Graphen, wie er im Fenster ist</translation>
    </message>
    <message>
        <source>Remove this page</source>
        <translation>Diese Seite entfernen</translation>
    </message>
    <message>
        <source>Move the page up</source>
        <translation>Die Seite nach oben</translation>
    </message>
    <message>
        <source>Move the page down</source>
        <translation>Die Seite nach unten</translation>
    </message>
    <message>
        <source>The page that was removed comes back</source>
        <translation>Die entfernte Seite kommt zurück</translation>
    </message>
</context>
<context>
    <name>partita::LessonsPanel</name>
    <message>
        <source>Check my selection</source>
        <translation>Meine Auswahl prüfen</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>Lektion</translation>
    </message>
    <message>
        <source>Choose a lesson</source>
        <translation>Eine Lektion wählen</translation>
    </message>
    <message>
        <source>Lesson text</source>
        <translation>Text der Lektion</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>page %1 of the lesson</source>
        <translation>Seite %1 der Lektion</translation>
    </message>
    <message>
        <source>Right.</source>
        <translation>Richtig.</translation>
    </message>
    <message>
        <source>Not yet.</source>
        <translation>Noch nicht.</translation>
    </message>
    <message>
        <source>Missing: %1.</source>
        <translation>Fehlt noch: %1.</translation>
    </message>
    <message>
        <source>Too many: %1.</source>
        <translation>Zu viel: %1.</translation>
    </message>
    <message>
        <source>Each lesson opens a small graph of its own and asks a question that you answer on it.</source>
        <translation>Jede Lektion öffnet einen kleinen Graphen und stellt eine Frage, die man auf ihm beantwortet.</translation>
    </message>
    <message>
        <source>Predict the regions of the graph that is open</source>
        <translation>Die Regionen des geöffneten Graphen vorhersagen</translation>
    </message>
    <message>
        <source>## Predict

Which operators will be compiled together? Select those of one region on the graph (click, Ctrl+click, or a frame with Shift) and press **G**; do so for each region. Then compare with what the backends&apos; rules and merging give.</source>
        <translation>## Vorhersagen

Welche Operatoren werden zusammen kompiliert? Die einer Region im Graphen wählen (Klick, Strg+Klick, oder ein Rahmen mit Umschalt) und **G** drücken; so für jede Region. Dann mit dem vergleichen, was Regeln der Backends und Verschmelzen ergeben.</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>Selected: %1.</source>
        <translation>Gewählt: %1.</translation>
    </message>
    <message>
        <source>Nothing is selected: click on an operator, Ctrl+click on more.</source>
        <translation>Noch nichts gewählt: einen Operator anklicken, weitere mit Strg+Klick.</translation>
    </message>
    <message>
        <source>This is the last page of the last lesson</source>
        <translation>Dies ist die letzte Seite der letzten Lektion</translation>
    </message>
    <message>
        <source>Missing: %1, too many: %2.</source>
        <translation>Es fehlen: %1, zu viel: %2.</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Compare your answer with the right one</source>
        <translation>Ihre Antwort mit der richtigen vergleichen</translation>
    </message>
    <message>
        <source>The lesson asks for this: answer its question first</source>
        <translation>Danach fragt die Lektion: Beantworten Sie erst ihre Frage</translation>
    </message>
    <message>
        <source>The next attempt names them.</source>
        <translation>Der nächste Versuch nennt sie.</translation>
    </message>
    <message>
        <source>Save answers</source>
        <translation>Antworten speichern</translation>
    </message>
    <message>
        <source>Answers (*.json)</source>
        <translation>Antworten (*.json)</translation>
    </message>
    <message numerus="yes">
        <source>The panel Problems lists all %n faults.</source>
        <translation>
            <numerusform>Das Panel Probleme nennt den einen Fehler.</numerusform>
            <numerusform>Das Panel Probleme nennt alle %n Fehler.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pattern(s)</source>
        <translation>
            <numerusform>%n Muster</numerusform>
            <numerusform>%n Muster</numerusform>
        </translation>
    </message>
    <message>
        <source>**%1** has no rule for an operator of this graph.</source>
        <translation>**%1** hat keine Regel für einen Operator dieses Graphen.</translation>
    </message>
    <message>
        <source>**%1** has rules for %2.</source>
        <translation>**%1** hat Regeln für %2.</translation>
    </message>
    <message>
        <source>This is the last page of the lesson that you are writing</source>
        <translation>Dies ist die letzte Seite der Lektion, die Sie schreiben</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n question(s) right, %2 of %3 points. A right answer at the first attempt counts two.</source>
        <translation>
            <numerusform>%1 von %n Frage richtig, %2 von %3 Punkten. Eine richtige Antwort beim ersten Versuch zählt zwei.</numerusform>
            <numerusform>%1 von %n Fragen richtig, %2 von %3 Punkten. Eine richtige Antwort beim ersten Versuch zählt zwei.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n region(s) now, and %1 cross their boundaries.</source>
        <translation>
            <numerusform>Jetzt %n Region, und %1 gehen über ihre Grenzen.</numerusform>
            <numerusform>Jetzt %n Regionen, und %1 gehen über ihre Grenzen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n region(s) right at attempt %2.</source>
        <translation>
            <numerusform>%1 von %n Region richtig beim %2. Versuch.</numerusform>
            <numerusform>%1 von %n Regionen richtig beim %2. Versuch.</numerusform>
        </translation>
    </message>
    <message>
        <source>No question is answered yet</source>
        <translation>Noch keine Frage ist beantwortet</translation>
    </message>
    <message>
        <source>Take back first what you assigned by hand: it would be in no file of answers</source>
        <translation>Nehmen Sie zuerst zurück, was Sie von Hand zugewiesen haben: Es stünde in keiner Datei mit Antworten</translation>
    </message>
    <message>
        <source>Switch the passes&apos; options back first</source>
        <translation>Stellen Sie zuerst die Optionen der Durchläufe zurück</translation>
    </message>
    <message>
        <source>Compare your prediction first, or end it</source>
        <translation>Erst die Vorhersage vergleichen oder beenden</translation>
    </message>
    <message>
        <source>Their backend has no rule that takes %1.</source>
        <translation>Das Backend hat keine Regel für %1.</translation>
    </message>
    <message>
        <source>Another backend takes %1.</source>
        <translation>Ein anderes Backend nimmt %1.</translation>
    </message>
    <message>
        <source>Save answers…</source>
        <translation>Antworten speichern…</translation>
    </message>
    <message numerus="yes">
        <source>The course: %1 of %2 points, %3 of %n lesson(s) done, %4 minutes at the questions.</source>
        <translation>
            <numerusform>Der Kurs: %1 von %2 Punkten, %3 von %n Lektion abgeschlossen, %4 Minuten an den Fragen.</numerusform>
            <numerusform>Der Kurs: %1 von %2 Punkten, %3 von %n Lektionen abgeschlossen, %4 Minuten an den Fragen.</numerusform>
        </translation>
    </message>
    <message>
        <source>division</source>
        <translation>Aufteilung</translation>
    </message>
    <message>
        <source>regions</source>
        <translation>Regionen</translation>
    </message>
    <message>
        <source>values moved</source>
        <translation>bewegte Werte</translation>
    </message>
    <message>
        <source>operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>A line stands for what you have not answered yet.</source>
        <translation>Ein Strich steht für das, was Sie noch nicht beantwortet haben.</translation>
    </message>
    <message>
        <source>Right here, but on %1 it refuses what it should take.</source>
        <translation>Hier richtig, aber bei %1 lehnt es ab, was es nehmen soll.</translation>
    </message>
    <message>
        <source>Right here, but on %1 it takes too much.</source>
        <translation>Hier richtig, aber bei %1 nimmt es zu viel.</translation>
    </message>
    <message numerus="yes">
        <source>%n region(s); at most %1</source>
        <translation>
            <numerusform>%n Region; höchstens %1</numerusform>
            <numerusform>%n Regionen; höchstens %1</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of the operations on backends; at least %2</source>
        <translation>%1 der Operationen auf Backends; mindestens %2</translation>
    </message>
    <message>
        <source>%1 of weights in the largest region; at most %2</source>
        <translation>%1 Gewichte in der größten Region; höchstens %2</translation>
    </message>
    <message>
        <source>%1 cross the boundaries; at most %2</source>
        <translation>%1 überqueren die Grenzen; höchstens %2</translation>
    </message>
    <message>
        <source>%1 of the time; at most %2</source>
        <translation>%1 der Zeit; höchstens %2</translation>
    </message>
    <message numerus="yes">
        <source>%n rule(s) changed; at most %1</source>
        <translation>
            <numerusform>%n Regel geändert; höchstens %1</numerusform>
            <numerusform>%n Regeln geändert; höchstens %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::MainWindow</name>
    <message>
        <source>There is not enough memory</source>
        <translation>Der Speicher reicht nicht</translation>
    </message>
    <message>
        <source>%1 was given up. What was open before is as it was.</source>
        <translation>%1 wurde aufgegeben. Was vorher offen war, ist, wie es war.</translation>
    </message>
    <message>
        <source>The run failed</source>
        <translation>Die Ausführung ist gescheitert</translation>
    </message>
    <message>
        <source>%1 was written.</source>
        <translation>%1 wurde geschrieben.</translation>
    </message>
    <message>
        <source>The settings hold until you leave: %1 can&apos;t be written.</source>
        <translation>Die Einstellungen gelten bis zum Beenden: %1 lässt sich nicht schreiben.</translation>
    </message>
    <message>
        <source>What is not saved is not kept for a crash</source>
        <translation>Ungespeichertes ist gegen einen Absturz nicht gesichert</translation>
    </message>
    <message>
        <source>%1

The work goes on; save the project to be sure of it (Ctrl+S).</source>
        <translation>%1

Die Arbeit geht weiter; speichern Sie das Projekt, um sicherzugehen (Strg+S).</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
    <message>
        <source>The model&apos;s weights can&apos;t be read</source>
        <translation>Die Gewichte des Modells sind nicht lesbar</translation>
    </message>
    <message>
        <source>Predicting</source>
        <translation>Vorhersage</translation>
    </message>
    <message>
        <source>The file was read again. Undo brings your own changes back.</source>
        <translation>Die Datei wurde neu gelesen. Rückgängig holt die eigenen Änderungen zurück.</translation>
    </message>
    <message>
        <source>The backends are %1 and %2, which run a model fastest. As in TVM: Ctrl+Alt+T.</source>
        <translation>Die Backends sind %1 und %2: damit läuft ein Modell am schnellsten. Wie in TVM: Strg+Alt+T.</translation>
    </message>
    <message>
        <source>The backends are %1 and %2, as in TVM. For speed: Ctrl+Alt+S.</source>
        <translation>Die Backends sind %1 und %2 wie in TVM. Für Tempo: Strg+Alt+S.</translation>
    </message>
    <message>
        <source>%1 was written, with operators that TVM does not have; “Lower to Relay&apos;s operators first” writes them as Relay&apos;s own.</source>
        <translation>%1 wurde geschrieben, mit Operatoren, die TVM nicht hat; „Zuerst in Relays Operatoren zerlegen“ schreibt sie mit Relays eigenen.</translation>
    </message>
    <message>
        <source>The numbers were not taken</source>
        <translation>Die Zahlen wurden nicht übernommen</translation>
    </message>
</context>
<context>
    <name>partita::MemoryChart</name>
    <message>
        <source>Memory at each step</source>
        <translation>Speicher in jedem Schritt</translation>
    </message>
    <message>
        <source>Step %1 of %2: %3</source>
        <translation>Schritt %1 von %2: %3</translation>
    </message>
    <message>
        <source>step 1</source>
        <translation>Schritt 1</translation>
    </message>
    <message>
        <source>Step %1: %2, %3</source>
        <translation>Schritt %1: %2, %3</translation>
    </message>
</context>
<context>
    <name>partita::Minimap</name>
    <message>
        <source>Overview of the graph</source>
        <translation>Übersicht des Graphen</translation>
    </message>
    <message>
        <source>Overview: click or drag to move the view</source>
        <translation>Übersicht: klicken oder ziehen bewegt die Ansicht</translation>
    </message>
</context>
<context>
    <name>partita::MissingBackends</name>
    <message>
        <source>Missing backend</source>
        <translation>Fehlendes Backend</translation>
    </message>
    <message>
        <source>Find it…</source>
        <translation>Suchen …</translation>
    </message>
    <message>
        <source>Leave it out</source>
        <translation>Weglassen</translation>
    </message>
    <message>
        <source>The backend &lt;b&gt;%1&lt;/b&gt; of this project can&apos;t be loaded. The project keeps it.</source>
        <translation>Das Backend &lt;b&gt;%1&lt;/b&gt; dieses Projekts lässt sich nicht laden. Das Projekt behält es.</translation>
    </message>
    <message>
        <source>Find %1</source>
        <translation>%1 suchen</translation>
    </message>
    <message>
        <source>Backend descriptions (*.json);;All files (*)</source>
        <translation>Backend-Beschreibungen (*.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>There is a backend named %1 already.</source>
        <translation>Es gibt schon ein Backend namens %1.</translation>
    </message>
    <message>
        <source>Not the backend that is missing</source>
        <translation>Nicht das Backend, das fehlt</translation>
    </message>
    <message>
        <source>find %1</source>
        <translation>%1 suchen</translation>
    </message>
    <message>
        <source>leave %1 out</source>
        <translation>%1 weglassen</translation>
    </message>
</context>
<context>
    <name>partita::ModelTabs</name>
    <message>
        <source>Open models</source>
        <translation>Offene Modelle</translation>
    </message>
    <message>
        <source>Start page</source>
        <translation>Startseite</translation>
    </message>
</context>
<context>
    <name>partita::NodeAttributesDialog</name>
    <message>
        <source>Attributes on nodes</source>
        <translation>Attribute auf Knoten</translation>
    </message>
    <message>
        <source>A tick: always on the node. A line: where it is not at its default. Empty: never.</source>
        <translation>Ein Haken: immer auf dem Knoten. Ein Strich: wo es nicht seinen Vorgabewert hat. Leer: nie.</translation>
    </message>
    <message>
        <source>&amp;As usual</source>
        <translation>&amp;Wie üblich</translation>
    </message>
    <message>
        <source>All attributes where they are not at their defaults</source>
        <translation>Alle Attribute, wo sie nicht ihre Vorgabewerte haben</translation>
    </message>
</context>
<context>
    <name>partita::NumbersPanel</name>
    <message>
        <source>&amp;Heat</source>
        <translation>&amp;Wärmebild</translation>
    </message>
    <message>
        <source>Drop a file with numbers of operators on the window: CSV with a line such as name,time_us or number,cycles first, or node data of Model Explorer. Two columns are also subtracted.</source>
        <translation>Ziehen Sie eine Datei mit Zahlen zu Operatoren auf das Fenster: CSV mit einer ersten Zeile wie name,time_us oder number,cycles, oder Knotendaten von Model Explorer. Von zwei Spalten wird auch die Differenz gezeigt.</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>Operatoren</translation>
    </message>
    <message>
        <source>Regions</source>
        <translation>Regionen</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>Blöcke</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>Column of the heat</source>
        <translation>Spalte des Wärmebilds</translation>
    </message>
    <message>
        <source>Colour operators by this column</source>
        <translation>Operatoren nach dieser Spalte färben</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>Reading numbers</source>
        <translation>Zahlen lesen</translation>
    </message>
    <message>
        <source>%1: %2 of %3 operators, sum %4; rows of no operator here: %5</source>
        <translation>%1: %2 von %3 Operatoren, Summe %4; Zeilen zu keinem Operator hier: %5</translation>
    </message>
    <message>
        <source>in no block</source>
        <translation>in keinem Block</translation>
    </message>
    <message>
        <source>Only the %1 largest are listed</source>
        <translation>Nur die %1 größten stehen hier</translation>
    </message>
</context>
<context>
    <name>partita::OperatorDialog</name>
    <message>
        <source>Insert an operator</source>
        <translation>Einen Operator einfügen</translation>
    </message>
    <message>
        <source>Find an operator</source>
        <translation>Operator suchen</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>Operatoren</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Wo</translation>
    </message>
    <message>
        <source>Insert</source>
        <translation>Einfügen</translation>
    </message>
    <message>
        <source>No operator is called that</source>
        <translation>So heißt kein Operator</translation>
    </message>
    <message numerus="yes">
        <source>a tuple of the %n selected</source>
        <translation>
            <numerusform>ein Tupel aus dem %n gewählten</numerusform>
            <numerusform>ein Tupel aus den %n gewählten</numerusform>
        </translation>
    </message>
    <message>
        <source>unknown type</source>
        <translation>unbekannter Typ</translation>
    </message>
    <message>
        <source>a new input, %1</source>
        <translation>ein neuer Eingang, %1</translation>
    </message>
    <message>
        <source>a constant of zeros, %1</source>
        <translation>eine Konstante aus Nullen, %1</translation>
    </message>
    <message>
        <source>a constant of ones, %1</source>
        <translation>eine Konstante aus Einsen, %1</translation>
    </message>
    <message>
        <source>Gives %1</source>
        <translation>Ergibt %1</translation>
    </message>
</context>
<context>
    <name>partita::OperatorSheet</name>
    <message>
        <source>integer</source>
        <translation>Ganzzahl</translation>
    </message>
    <message>
        <source>True or False</source>
        <translation>True oder False</translation>
    </message>
    <message>
        <source>number</source>
        <translation>Zahl</translation>
    </message>
    <message>
        <source>text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>element type</source>
        <translation>Elementtyp</translation>
    </message>
    <message>
        <source>integers</source>
        <translation>Ganzzahlen</translation>
    </message>
    <message>
        <source>any value</source>
        <translation>beliebiger Wert</translation>
    </message>
    <message>
        <source>one element of the result from one of each operand</source>
        <translation>ein Element des Ergebnisses aus je einem der Operanden</translation>
    </message>
    <message>
        <source>one element from one of each operand, after broadcasting</source>
        <translation>ein Element aus je einem der Operanden, nach Broadcasting</translation>
    </message>
    <message>
        <source>each element of the result is one of an operand</source>
        <translation>jedes Element des Ergebnisses ist eines eines Operanden</translation>
    </message>
    <message>
        <source>one element of the result from many</source>
        <translation>ein Element des Ergebnisses aus vielen</translation>
    </message>
    <message>
        <source>sums of products: elementwise operators can follow in its loop</source>
        <translation>Summen von Produkten: elementweise Operatoren können in seiner Schleife folgen</translation>
    </message>
    <message>
        <source>nothing is known: it is never fused</source>
        <translation>nichts ist bekannt: er wird nie verschmolzen</translation>
    </message>
    <message>
        <source>Attribute</source>
        <translation>Attribut</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>Hier</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Vorgabe</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>Bedeutung</translation>
    </message>
    <message>
        <source>must be given</source>
        <translation>muss angegeben werden</translation>
    </message>
    <message>
        <source>cannot be written as ONNX</source>
        <translation>lässt sich nicht als ONNX schreiben</translation>
    </message>
    <message>
        <source>runs on default; generated C can compute it</source>
        <translation>läuft auf default; erzeugtes C kann ihn berechnen</translation>
    </message>
    <message>
        <source>runs on default; generated C can&apos;t compute it</source>
        <translation>läuft auf default; erzeugtes C kann ihn nicht berechnen</translation>
    </message>
    <message>
        <source>nothing here can run it</source>
        <translation>nichts hier kann ihn ausführen</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>What the operator is</source>
        <translation>Was der Operator ist</translation>
    </message>
    <message>
        <source>Operator %1</source>
        <translation>Operator %1</translation>
    </message>
    <message>
        <source>Shapes here</source>
        <translation>Formen hier</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>Attribute</translation>
    </message>
    <message>
        <source>One element of the result, in C</source>
        <translation>Ein Element des Ergebnisses, in C</translation>
    </message>
    <message>
        <source>Result and operands</source>
        <translation>Ergebnis und Operanden</translation>
    </message>
    <message>
        <source>Names</source>
        <translation>Namen</translation>
    </message>
    <message>
        <source>Executors</source>
        <translation>Ausführung</translation>
    </message>
    <message>
        <source>Example</source>
        <translation>Beispiel</translation>
    </message>
</context>
<context>
    <name>partita::OutlineModel</name>
    <message>
        <source>Functions</source>
        <translation>Funktionen</translation>
    </message>
    <message>
        <source>Regions (%1)</source>
        <translation>Regionen (%1)</translation>
    </message>
    <message>
        <source>After partitioning (%1)</source>
        <translation>Nach dem Partitionieren (%1)</translation>
    </message>
    <message>
        <source>Double-click or Enter: open</source>
        <translation>Doppelklick oder Enter: öffnen</translation>
    </message>
    <message>
        <source>Sub-function for %1. Double-click or Enter: open</source>
        <translation>Teilfunktion für %1. Doppelklick oder Enter: öffnen</translation>
    </message>
    <message>
        <source>%1 · tuples only</source>
        <translation>%1 · nur Tupel</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n alike</source>
        <translation>
            <numerusform>%1, %n gleiche</numerusform>
            <numerusform>%1, %n gleiche</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n region(s) of the same operators
Together: %1, %2 across their borders</source>
        <translation>
            <numerusform>%n Region mit diesen Operatoren
Zusammen: %1, %2 über ihre Grenzen</numerusform>
            <numerusform>%n Regionen mit denselben Operatoren
Zusammen: %1, %2 über ihre Grenzen</numerusform>
        </translation>
    </message>
    <message>
        <source>Blocks (%1)</source>
        <translation>Blöcke (%1)</translation>
    </message>
    <message>
        <source>%1
%2, %3, %4, %5 across its border</source>
        <translation>%1
%2, %3, %4, %5 über die Grenze</translation>
    </message>
    <message numerus="yes">
        <source>%n input(s)</source>
        <translation>
            <numerusform>%n Eingang</numerusform>
            <numerusform>%n Eingänge</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n output(s)</source>
        <translation>
            <numerusform>%n Ausgabe</numerusform>
            <numerusform>%n Ausgaben</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::OutlinePanel</name>
    <message>
        <source>Filter functions and regions</source>
        <translation>Funktionen und Regionen filtern</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>Gliederung</translation>
    </message>
    <message>
        <source>Listing functions</source>
        <translation>Funktionen werden aufgelistet</translation>
    </message>
</context>
<context>
    <name>partita::PageTextEditor</name>
    <message>
        <source>Text of the page, in Markdown</source>
        <translation>Text der Seite, in Markdown</translation>
    </message>
    <message>
        <source>Markdown: ## heading, **bold**, `code`, - list</source>
        <translation>Markdown: ## Überschrift, **fett**, `Code`, - Liste</translation>
    </message>
    <message>
        <source>As it is read</source>
        <translation>So wird es gelesen</translation>
    </message>
</context>
<context>
    <name>partita::PageTurner</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Next lesson</source>
        <translation>Nächste Lektion</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>pages</comment>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>partita::Pages</name>
    <message>
        <source>Open functions</source>
        <translation>Offene Funktionen</translation>
    </message>
    <message>
        <source>@main partitioned</source>
        <translation>@main partitioniert</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>The graph is shown as it is after this decision; a click shows the result</source>
        <translation>Der Graph ist so gezeigt, wie er nach dieser Entscheidung ist; ein Klick zeigt das Ergebnis</translation>
    </message>
    <message>
        <source>The graph shows the regions that you marked; a click ends it and shows the result</source>
        <translation>Der Graph zeigt die Regionen, die Sie markiert haben; ein Klick beendet das und zeigt das Ergebnis</translation>
    </message>
</context>
<context>
    <name>partita::Panels</name>
    <message>
        <source>Panels</source>
        <translation>Bereiche</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>Gliederung</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>Lektionen</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Timing</source>
        <translation>Zeiten</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>Coverage</source>
        <translation>Abdeckung</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>There is no region to cut out yet: annotate first (F6), or let the whole flow run (F9).</source>
        <translation>Es gibt noch keine Region zum Herauslösen: erst annotieren (F6) oder den ganzen Ablauf ausführen (F9).</translation>
    </message>
    <message>
        <source>Compare your prediction first, or end it</source>
        <translation>Erst die Vorhersage vergleichen oder beenden</translation>
    </message>
    <message>
        <source>Lesson editor</source>
        <translation>Lektionseditor</translation>
    </message>
    <message>
        <source>Problems (%1)</source>
        <translation>Probleme (%1)</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>Zahlen</translation>
    </message>
</context>
<context>
    <name>partita::PlaceLinks</name>
    <message>
        <source>as the link says</source>
        <translation>wie im Link</translation>
    </message>
    <message>
        <source>No operator here is %1</source>
        <translation>Kein Operator hier ist %1</translation>
    </message>
</context>
<context>
    <name>partita::PlacementCurve</name>
    <message>
        <source>&amp;Use this point</source>
        <translation>Diesen Punkt &amp;verwenden</translation>
    </message>
    <message>
        <source>Fewer regions</source>
        <translation>Weniger Regionen</translation>
    </message>
    <message>
        <source>Fewer weights on backends</source>
        <translation>Weniger Gewichte auf Backends</translation>
    </message>
    <message>
        <source>What there should be less of</source>
        <translation>Wovon es weniger geben soll</translation>
    </message>
    <message>
        <source>Placements of the curve</source>
        <translation>Platzierungen der Kurve</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>Erwartet</translation>
    </message>
    <message>
        <source>Regions</source>
        <translation>Regionen</translation>
    </message>
    <message>
        <source>Weights on backends</source>
        <translation>Gewichte auf Backends</translation>
    </message>
    <message>
        <source>MB of weights on backends</source>
        <translation>MB Gewichte auf Backends</translation>
    </message>
    <message>
        <source>regions</source>
        <translation>Regionen</translation>
    </message>
    <message>
        <source>predicted ms</source>
        <translation>erwartete ms</translation>
    </message>
</context>
<context>
    <name>partita::PlacementDialog</name>
    <message>
        <source>&amp;Move it</source>
        <translation>Ver&amp;schieben</translation>
    </message>
    <message>
        <source>Placed by time</source>
        <translation>Nach Zeit platziert</translation>
    </message>
    <message>
        <source>Operators that could also be elsewhere, the smallest loss first:</source>
        <translation>Operatoren, die auch anderswo stehen könnten, der kleinste Verlust zuerst:</translation>
    </message>
    <message>
        <source>&amp;Save the placement…</source>
        <translation>Platzierung &amp;sichern …</translation>
    </message>
    <message>
        <source>A run takes %1; by the rules it takes %2.</source>
        <translation>Ein Lauf dauert %1; nach den Regeln dauert er %2.</translation>
    </message>
    <message>
        <source>A run takes %1. The rules&apos; placement stays: no other one was faster by more than the noise.</source>
        <translation>Ein Lauf dauert %1. Die Platzierung der Regeln bleibt: keine andere war um mehr als das Rauschen schneller.</translation>
    </message>
    <message>
        <source>Predictions differ from measurements by %1 in the median.</source>
        <translation>Vorhersagen weichen im Median um %1 von Messungen ab.</translation>
    </message>
    <message>
        <source>Placement</source>
        <translation>Platzierung</translation>
    </message>
    <message>
        <source>Regions</source>
        <translation>Regionen</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>Vorhergesagt</translation>
    </message>
    <message>
        <source>Placements</source>
        <translation>Platzierungen</translation>
    </message>
    <message>
        <source>chosen</source>
        <translation>gewählt</translation>
    </message>
    <message>
        <source>by the rules</source>
        <translation>nach den Regeln</translation>
    </message>
    <message>
        <source>rules in the order %1</source>
        <translation>Regeln in der Reihenfolge %1</translation>
    </message>
    <message>
        <source>random mixture %1</source>
        <translation>zufällige Mischung %1</translation>
    </message>
    <message>
        <source>solution %1</source>
        <translation>Lösung %1</translation>
    </message>
    <message>
        <source>%1 alone</source>
        <translation>nur %1</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Is on</source>
        <translation>Steht auf</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>Anderes</translation>
    </message>
    <message>
        <source>Alone</source>
        <translation>Allein</translation>
    </message>
    <message>
        <source>With others</source>
        <translation>Mit anderen</translation>
    </message>
    <message>
        <source>Contested operators</source>
        <translation>Umstrittene Operatoren</translation>
    </message>
    <message>
        <source>What a run takes more if this operator alone moves</source>
        <translation>Was ein Lauf länger dauert, wenn nur dieser Operator umzieht</translation>
    </message>
    <message>
        <source>What a run takes more if this operator moves and others may follow</source>
        <translation>Was ein Lauf länger dauert, wenn dieser Operator umzieht und andere folgen dürfen</translation>
    </message>
    <message>
        <source>Now: %1
Then: %2</source>
        <translation>Jetzt: %1
Dann: %2</translation>
    </message>
    <message>
        <source>Save the placement</source>
        <translation>Platzierung sichern</translation>
    </message>
    <message>
        <source>Placements (*.json)</source>
        <translation>Platzierungen (*.json)</translation>
    </message>
    <message>
        <source>Move &amp;with others</source>
        <translation>&amp;Mit anderen verschieben</translation>
    </message>
    <message>
        <source>&amp;Placements</source>
        <translation>&amp;Platzierungen</translation>
    </message>
    <message>
        <source>&amp;Operators</source>
        <translation>&amp;Operatoren</translation>
    </message>
    <message>
        <source>&amp;Fewer regions or weights</source>
        <translation>&amp;Weniger Regionen oder Gewichte</translation>
    </message>
    <message>
        <source>Predicted and &amp;measured</source>
        <translation>Erwartet und &amp;gemessen</translation>
    </message>
    <message>
        <source>a placement of the curve</source>
        <translation>eine Platzierung der Kurve</translation>
    </message>
    <message>
        <source>all on default</source>
        <translation>alles auf default</translation>
    </message>
    <message>
        <source>&amp;Use this placement</source>
        <translation>Diese Platzierung &amp;verwenden</translation>
    </message>
    <message>
        <source>another placement</source>
        <translation>eine andere Platzierung</translation>
    </message>
    <message>
        <source>Writes how the graph is divided now</source>
        <translation>Schreibt, wie der Graph jetzt aufgeteilt ist</translation>
    </message>
    <message>
        <source>&amp;Take it back</source>
        <translation>&amp;Zurücknehmen</translation>
    </message>
    <message>
        <source>The graph is divided as before (Esc)</source>
        <translation>Der Graph wird aufgeteilt wie zuvor (Esc)</translation>
    </message>
    <message>
        <source>Place by time</source>
        <translation>Nach Zeit platzieren</translation>
    </message>
    <message>
        <source>From the costs of its operators it is predicted to take %1; no placement is predicted to take less than %2.</source>
        <translation>Aus den Kosten der Operatoren sind dafür %1 vorhergesagt; für keine Platzierung sind weniger als %2 vorhergesagt.</translation>
    </message>
    <message>
        <source>With room for all weights (limits.weight_bytes) that would be %1.</source>
        <translation>Mit Platz für alle Gewichte (limits.weight_bytes) wären es %1.</translation>
    </message>
</context>
<context>
    <name>partita::PlacementTimes</name>
    <message>
        <source>Predicted and measured times</source>
        <translation>Erwartete und gemessene Zeiten</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>Region</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>Erwartet</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>The module was changed since it was placed.</source>
        <translation>Das Modul wurde seit dem Platzieren geändert.</translation>
    </message>
    <message>
        <source>This division is predicted to take %1, of it %2 for values that cross.</source>
        <translation>Für diese Aufteilung werden %1 erwartet, davon %2 für Werte, die wechseln.</translation>
    </message>
    <message>
        <source>Its last run took %1 at least.</source>
        <translation>Ihr letzter Lauf brauchte mindestens %1.</translation>
    </message>
    <message>
        <source>Run it (F5) to see what it takes.</source>
        <translation>Mit F5 ausführen, um zu sehen, was sie braucht.</translation>
    </message>
    <message>
        <source>on default</source>
        <translation>auf default</translation>
    </message>
</context>
<context>
    <name>partita::Placing</name>
    <message>
        <source>Placing was cancelled; what was measured is kept</source>
        <translation>Das Platzieren wurde abgebrochen; das Gemessene bleibt erhalten</translation>
    </message>
    <message>
        <source>Placing is going on</source>
        <translation>Das Platzieren läuft</translation>
    </message>
    <message>
        <source>Choose backends first (Ctrl+B)</source>
        <translation>Erst Backends wählen (Strg+B)</translation>
    </message>
    <message>
        <source>The file has annotations of its own</source>
        <translation>Die Datei hat eigene Annotationen</translation>
    </message>
    <message>
        <source>The module is being divided</source>
        <translation>Das Modul wird gerade aufgeteilt</translation>
    </message>
    <message>
        <source>Place by time</source>
        <translation>Nach Zeit platzieren</translation>
    </message>
    <message>
        <source>The module or its division was changed while it was measured; place again</source>
        <translation>Modul oder Aufteilung wurden während der Messung geändert; bitte neu platzieren</translation>
    </message>
    <message>
        <source>place by time</source>
        <translation>nach Zeit platzieren</translation>
    </message>
    <message>
        <source>Placed by time: %1 instead of %2 by the rules</source>
        <translation>Nach Zeit platziert: %1 statt %2 nach den Regeln</translation>
    </message>
    <message>
        <source>move %1 with others</source>
        <translation>%1 mit anderen verschieben</translation>
    </message>
    <message>
        <source>Placed by time: the rules&apos; placement stays, none was faster by more than the noise</source>
        <translation>Nach Zeit platziert: Die Platzierung nach Regeln bleibt, keine war um mehr als das Rauschen schneller</translation>
    </message>
</context>
<context>
    <name>partita::PointedCalls</name>
    <message>
        <source>Use selection</source>
        <translation>Auswahl nehmen</translation>
    </message>
    <message>
        <source>Another graph is open than the lesson&apos;s</source>
        <translation>Ein anderer Graph als der der Lektion ist offen</translation>
    </message>
    <message numerus="yes">
        <source>Select %n operator(s) on the graph first</source>
        <translation>
            <numerusform>Zuerst %n Operator im Graphen wählen</numerusform>
            <numerusform>Zuerst %n Operatoren im Graphen wählen</numerusform>
        </translation>
    </message>
    <message>
        <source>Takes the selected operators; none: takes all back</source>
        <translation>Nimmt die gewählten Operatoren; keine: nimmt alle zurück</translation>
    </message>
</context>
<context>
    <name>partita::PredictionView</name>
    <message>
        <source>Mark as a region</source>
        <translation>Als Region markieren</translation>
    </message>
    <message>
        <source>Take out</source>
        <translation>Herausnehmen</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Marked regions</source>
        <translation>Markierte Regionen</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>My regions</source>
        <translation>Meine Regionen</translation>
    </message>
    <message>
        <source>Partita&apos;s regions</source>
        <translation>Partitas Regionen</translation>
    </message>
    <message>
        <source>Select operators on the graph first: click, Ctrl+click, or a frame with Shift</source>
        <translation>Zuerst Operatoren im Graphen wählen: Klick, Strg+Klick, oder ein Rahmen mit Umschalt</translation>
    </message>
    <message>
        <source>The selected operators are one region (G)</source>
        <translation>Die gewählten Operatoren sind eine Region (G)</translation>
    </message>
    <message>
        <source>The selected operators are in no region</source>
        <translation>Die gewählten Operatoren sind in keiner Region</translation>
    </message>
    <message>
        <source>Mark a region first</source>
        <translation>Zuerst eine Region markieren</translation>
    </message>
    <message>
        <source>Hold your regions against what the backends&apos; rules and merging give</source>
        <translation>Die eigenen Regionen mit dem vergleichen, was Regeln der Backends und Verschmelzen ergeben</translation>
    </message>
    <message>
        <source>Comparing the prediction</source>
        <translation>Vorhersage wird verglichen</translation>
    </message>
    <message>
        <source>All right.</source>
        <translation>Alles richtig.</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n region(s) right.</source>
        <translation>
            <numerusform>%1 von %n Region richtig.</numerusform>
            <numerusform>%1 von %n Regionen richtig.</numerusform>
        </translation>
    </message>
    <message>
        <source>show</source>
        <translation>zeigen</translation>
    </message>
    <message>
        <source>No region is marked yet.</source>
        <translation>Noch ist keine Region markiert.</translation>
    </message>
    <message>
        <source>What is right and what is not appears here. The panels that tell of the regions, such as Steps, come back with it.</source>
        <translation>Hier erscheint, was stimmt und was nicht. Damit kommen auch die Panels zurück, die von den Regionen erzählen, wie Schritte.</translation>
    </message>
</context>
<context>
    <name>partita::Presentation</name>
    <message>
        <source>What is shown</source>
        <translation>Was gezeigt wird</translation>
    </message>
    <message>
        <source>F11 plays the next decision, Shift+F11 the one before. Esc leaves the presentation.</source>
        <translation>F11 spielt die nächste Entscheidung, Umschalt+F11 die davor. Esc verlässt die Präsentation.</translation>
    </message>
    <message>
        <source>Q shows the question.</source>
        <translation>Q zeigt die Frage.</translation>
    </message>
    <message>
        <source>Lesson text</source>
        <translation>Text der Lektion</translation>
    </message>
    <message>
        <source>Page Down turns the page.</source>
        <translation>Bild ab blättert um.</translation>
    </message>
    <message>
        <source>Shift+Q gives a minute.</source>
        <translation>Umschalt+Q gibt eine Minute.</translation>
    </message>
    <message>
        <source>Time is up.</source>
        <translation>Die Zeit ist um.</translation>
    </message>
</context>
<context>
    <name>partita::ProblemsModel</name>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Ort</translation>
    </message>
</context>
<context>
    <name>partita::ProblemsPanel</name>
    <message>
        <source>No problems.</source>
        <translation>Keine Probleme.</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
</context>
<context>
    <name>partita::QueryColoursDialog</name>
    <message>
        <source>Colours by query</source>
        <translation>Farben nach Anfrage</translation>
    </message>
    <message>
        <source>Nodes that a query finds have its colour; of several, the first. Queries are those of Find (Ctrl+F): op:nn.conv2d shape:*x3x*, flops:&gt;1G, name:/layer[0-3]/</source>
        <translation>Knoten, die eine Anfrage findet, haben ihre Farbe; bei mehreren die der ersten. Anfragen sind die der Suche (Strg+F): op:nn.conv2d shape:*x3x*, flops:&gt;1G, name:/layer[0-3]/</translation>
    </message>
    <message>
        <source>Query of colour %1</source>
        <translation>Anfrage der Farbe %1</translation>
    </message>
    <message>
        <source>There is no key “%1:”</source>
        <translation>Einen Schlüssel „%1:“ gibt es nicht</translation>
    </message>
    <message>
        <source>“%1” can&apos;t be read</source>
        <translation>„%1“ ist nicht lesbar</translation>
    </message>
</context>
<context>
    <name>partita::QuestionEditor</name>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>This page asks nothing</source>
        <translation>Diese Seite fragt nichts</translation>
    </message>
    <message>
        <source>Select the operators of a region</source>
        <translation>Die Operatoren einer Region wählen</translation>
    </message>
    <message>
        <source>Which backend takes them?</source>
        <translation>Welches Backend nimmt sie?</translation>
    </message>
    <message>
        <source>Draw the path that forbids merging</source>
        <translation>Den Weg zeigen, der das Verschmelzen verbietet</translation>
    </message>
    <message>
        <source>How many?</source>
        <translation>Wie viele?</translation>
    </message>
    <message>
        <source>Choose a reason</source>
        <translation>Einen Grund wählen</translation>
    </message>
    <message>
        <source>Write the rule</source>
        <translation>Die Regel schreiben</translation>
    </message>
    <message>
        <source>Make it faster</source>
        <translation>Schneller machen</translation>
    </message>
    <message>
        <source>Mark all regions</source>
        <translation>Alle Regionen markieren</translation>
    </message>
    <message>
        <source>This is right</source>
        <translation>Das ist richtig</translation>
    </message>
    <message>
        <source>Hint for this answer</source>
        <translation>Hinweis zu dieser Antwort</translation>
    </message>
    <message>
        <source>Answer it as a learner:</source>
        <translation>Wie ein Lernender antworten:</translation>
    </message>
    <message>
        <source>Why that is right</source>
        <translation>Warum das richtig ist</translation>
    </message>
    <message>
        <source>What helps whoever answered wrong</source>
        <translation>Was hilft, wenn falsch geantwortet wurde</translation>
    </message>
    <message>
        <source>Said of the right answer:</source>
        <translation>Zur richtigen Antwort:</translation>
    </message>
    <message>
        <source>Said of wrong answers without a hint:</source>
        <translation>Zu falschen Antworten ohne Hinweis:</translation>
    </message>
    <message>
        <source>Right: %1</source>
        <translation>Richtig: %1</translation>
    </message>
    <message>
        <source>The right answer is not known yet.</source>
        <translation>Die richtige Antwort ist noch nicht bekannt.</translation>
    </message>
    <message>
        <source>Select operators on the graph.</source>
        <translation>Operatoren im Graphen wählen.</translation>
    </message>
    <message>
        <source>Selected: %1</source>
        <translation>Gewählt: %1</translation>
    </message>
    <message>
        <source>Another graph is open than the lesson&apos;s</source>
        <translation>Ein anderer Graph als der der Lektion ist offen</translation>
    </message>
</context>
<context>
    <name>partita::QuestionSubject</name>
    <message>
        <source>regions of the graph</source>
        <translation>Regionen des Graphen</translation>
    </message>
    <message>
        <source>inputs of a region</source>
        <translation>Eingaben einer Region</translation>
    </message>
    <message>
        <source>outputs of a region</source>
        <translation>Ausgaben einer Region</translation>
    </message>
    <message>
        <source>What is counted:</source>
        <translation>Gezählt werden:</translation>
    </message>
    <message>
        <source>The region of:</source>
        <translation>Die Region von:</translation>
    </message>
    <message>
        <source>Of each of:</source>
        <translation>Von jedem von:</translation>
    </message>
    <message>
        <source>Between the regions of:</source>
        <translation>Zwischen den Regionen von:</translation>
    </message>
    <message>
        <source>One choice on each line</source>
        <translation>Eine Möglichkeit in jeder Zeile</translation>
    </message>
    <message>
        <source>Choices:</source>
        <translation>Möglichkeiten:</translation>
    </message>
    <message>
        <source>any number</source>
        <translation>beliebig viele</translation>
    </message>
    <message>
        <source>Regions, at most:</source>
        <translation>Regionen, höchstens:</translation>
    </message>
    <message>
        <source>Bytes across boundaries, at most:</source>
        <translation>Bytes über Grenzen, höchstens:</translation>
    </message>
    <message>
        <source>It shall take:</source>
        <translation>Sie soll nehmen:</translation>
    </message>
    <message>
        <source>It shall leave:</source>
        <translation>Sie soll lassen:</translation>
    </message>
    <message>
        <source>A rule of backend:</source>
        <translation>Eine Regel des Backends:</translation>
    </message>
    <message>
        <source>For operator:</source>
        <translation>Für den Operator:</translation>
    </message>
</context>
<context>
    <name>partita::QuestionView</name>
    <message>
        <source>Number:</source>
        <translation>Anzahl:</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>Wählen</translation>
    </message>
    <message>
        <source>Select operators on the graph first: click, Ctrl+click</source>
        <translation>Wählen Sie erst Operatoren im Graphen: Klick, Strg+Klick</translation>
    </message>
    <message>
        <source>Choose a reason first</source>
        <translation>Wählen Sie erst einen Grund</translation>
    </message>
    <message>
        <source>Write the rule first</source>
        <translation>Schreiben Sie erst die Regel</translation>
    </message>
    <message>
        <source>Choose a backend for each operator first</source>
        <translation>Wählen Sie erst für jeden Operator ein Backend</translation>
    </message>
</context>
<context>
    <name>partita::RecoveryDialog</name>
    <message>
        <source>Unsaved changes</source>
        <translation>Nicht gespeicherte Änderungen</translation>
    </message>
    <message>
        <source>Partita closed unexpectedly. Choose the unsaved work to recover now; the rest is offered again at the next start.</source>
        <translation>Partita endete nicht, wie es sollte. Diese Änderungen wurden nicht gespeichert; mit einer davon geht es jetzt weiter, mit den anderen beim nächsten Start.</translation>
    </message>
    <message>
        <source>changed %1</source>
        <translation>geändert %1</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter damit</translation>
    </message>
    <message>
        <source>Throw away</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Nicht jetzt</translation>
    </message>
</context>
<context>
    <name>partita::ReportFiles</name>
    <message>
        <source>Open the model first</source>
        <translation>Erst das Modell öffnen</translation>
    </message>
    <message>
        <source>%1 is what another program said of a model. Open the model, then drop the file on it; or drop both together.</source>
        <translation>%1 ist, was ein anderes Programm über ein Modell gesagt hat. Öffnen Sie das Modell und legen Sie die Datei darauf ab; oder legen Sie beide zusammen ab.</translation>
    </message>
    <message>
        <source>The report was not taken</source>
        <translation>Der Bericht wurde nicht übernommen</translation>
    </message>
    <message>
        <source>Divided as %1 did: %2 of %3 rows are of operators here; the rest is among the problems.</source>
        <translation>Geteilt, wie %1 geteilt hat: %2 von %3 Zeilen gehören zu Operatoren hier; der Rest steht bei den Problemen.</translation>
    </message>
    <message>
        <source>Open what another program said of the model</source>
        <translation>Öffnen, was ein anderes Programm über das Modell gesagt hat</translation>
    </message>
    <message>
        <source>Profiles, logs, dumps (*.json *.log *.txt *.csv *.etdp);;All files (*)</source>
        <translation>Profile, Protokolle, Abzüge (*.json *.log *.txt *.csv *.etdp);;Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>partita::RulesBar</name>
    <message>
        <source>Whose rules</source>
        <translation>Wessen Regeln</translation>
    </message>
    <message>
        <source>What the last edit changed</source>
        <translation>Was die letzte Änderung bewirkte</translation>
    </message>
    <message>
        <source>New</source>
        <translation>Neu</translation>
    </message>
    <message>
        <source>A new backend, asked first</source>
        <translation>Ein neues Backend, das zuerst gefragt wird</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save the description to its file</source>
        <translation>Die Beschreibung in ihre Datei speichern</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern unter …</translation>
    </message>
    <message>
        <source>Save the description to another file</source>
        <translation>Die Beschreibung in eine andere Datei speichern</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>Neu lesen</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Read the file again; undo takes it back</source>
        <translation>Die Datei neu lesen; Rückgängig nimmt es zurück</translation>
    </message>
    <message>
        <source>Back to what ships</source>
        <translation>Zurück zum Mitgelieferten</translation>
    </message>
    <message>
        <source>No backend is chosen</source>
        <translation>Kein Backend ist gewählt</translation>
    </message>
    <message>
        <source>shipped</source>
        <translation>mitgeliefert</translation>
    </message>
    <message>
        <source>not saved</source>
        <translation>nicht gespeichert</translation>
    </message>
    <message>
        <source>a copy of what ships, not saved</source>
        <translation>Kopie des Mitgelieferten, nicht gespeichert</translation>
    </message>
    <message>
        <source>ships with the program; an edit makes a copy</source>
        <translation>mitgeliefert; Änderungen machen eine Kopie</translation>
    </message>
</context>
<context>
    <name>partita::RulesDiffDialog</name>
    <message numerus="yes">
        <source>, in %n blocks</source>
        <translation>
            <numerusform>, in %n Block</numerusform>
            <numerusform>, in %n Blöcken</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>&amp;Vergleichen</translation>
    </message>
    <message>
        <source>Test: as &amp;before</source>
        <translation>Test: wie vor&amp;her</translation>
    </message>
    <message>
        <source>Test: as &amp;now</source>
        <translation>Test: wie &amp;jetzt</translation>
    </message>
    <message>
        <source>Compare rules on models</source>
        <translation>Regeln an Modellen vergleichen</translation>
    </message>
    <message>
        <source>What the rules, as they stand in the window, change against those of before. Double-click a change to see its first operator.</source>
        <translation>Was die Regeln, wie sie im Fenster stehen, gegenüber den früheren ändern. Ein Doppelklick auf eine Änderung zeigt ihren ersten Operator.</translation>
    </message>
    <message>
        <source>Changes by model and rule</source>
        <translation>Änderungen nach Modell und Regel</translation>
    </message>
    <message>
        <source>Model, change</source>
        <translation>Modell, Änderung</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Regions</source>
        <translation>Regionen</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Rechenarbeit</translation>
    </message>
    <message>
        <source>Boundary</source>
        <translation>Grenze</translation>
    </message>
    <message>
        <source>The comparison was cancelled</source>
        <translation>Der Vergleich wurde abgebrochen</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <source>a description, rules in Python, or a built-in name</source>
        <translation>eine Beschreibung, Regeln in Python oder ein mitgelieferter Name</translation>
    </message>
    <message>
        <source>B&amp;ackend:</source>
        <translation>B&amp;ackend:</translation>
    </message>
    <message>
        <source>&amp;Rules before:</source>
        <translation>Frühere &amp;Regeln:</translation>
    </message>
    <message>
        <source>&amp;Models:</source>
        <translation>&amp;Modelle:</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>The rules before</source>
        <translation>Die früheren Regeln</translation>
    </message>
    <message>
        <source>Rules (*.json *.py)</source>
        <translation>Regeln (*.json *.py)</translation>
    </message>
    <message>
        <source>A folder of models</source>
        <translation>Ein Ordner mit Modellen</translation>
    </message>
    <message>
        <source>Rules in Python are compared once they may run</source>
        <translation>Regeln in Python werden verglichen, sobald sie laufen dürfen</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Wird verglichen…</translation>
    </message>
    <message>
        <source>Comparing rules</source>
        <translation>Regeln werden verglichen</translation>
    </message>
    <message>
        <source>No model was found there</source>
        <translation>Dort wurde kein Modell gefunden</translation>
    </message>
    <message>
        <source>%1 of %2 models differ: %3 calls lost, %4 taken</source>
        <translation>%1 von %2 Modellen sind verschieden: %3 Aufrufe verloren, %4 hinzugekommen</translation>
    </message>
    <message numerus="yes">
        <source>and %n other file(s) can&apos;t be compared</source>
        <translation>
            <numerusform>und %n weitere Datei kann nicht verglichen werden</numerusform>
            <numerusform>und %n weitere Dateien können nicht verglichen werden</numerusform>
        </translation>
    </message>
    <message>
        <source>Select a change first</source>
        <translation>Wählen Sie zuerst eine Änderung</translation>
    </message>
    <message>
        <source>The backend is no longer chosen</source>
        <translation>Das Backend ist nicht mehr gewählt</translation>
    </message>
    <message>
        <source>Tests are kept in a description in JSON: choose one that names this file as its annotator</source>
        <translation>Tests stehen in einer Beschreibung in JSON: Wählen Sie eine, die diese Datei als Annotator nennt</translation>
    </message>
    <message>
        <source>Save the description in a file first: a test names models beside it</source>
        <translation>Speichern Sie die Beschreibung zuerst in einer Datei: Ein Test nennt Modelle daneben</translation>
    </message>
    <message>
        <source>A test of the description that wants the old rules&apos; verdict</source>
        <translation>Ein Test der Beschreibung, der das Urteil der früheren Regeln verlangt</translation>
    </message>
    <message>
        <source>A test of the description that wants the new rules&apos; verdict</source>
        <translation>Ein Test der Beschreibung, der das Urteil der jetzigen Regeln verlangt</translation>
    </message>
    <message>
        <source>keep as a test</source>
        <translation>als Test behalten</translation>
    </message>
    <message>
        <source>%1 has a test that wants %2 %3. Save the rules to keep it; &quot;rules test&quot; runs it.</source>
        <translation>%1 hat einen Test, der %2 %3 verlangt. Speichern Sie die Regeln, um ihn zu behalten; „rules test“ führt ihn aus.</translation>
    </message>
    <message>
        <source>taken</source>
        <translation>angenommen</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>abgelehnt</translation>
    </message>
</context>
<context>
    <name>partita::RulesOfDivision</name>
    <message>
        <source>Annotate first, or give operators to a backend</source>
        <translation>Zuerst annotieren oder Operatoren einem Backend geben</translation>
    </message>
    <message>
        <source>Select an operator on the backend whose rules you want</source>
        <translation>Einen Operator auf dem Backend auswählen, dessen Regeln gesucht sind</translation>
    </message>
    <message>
        <source>Looking for rules</source>
        <translation>Regeln werden gesucht</translation>
    </message>
    <message>
        <source>rules of the division</source>
        <translation>Regeln aus der Aufteilung</translation>
    </message>
    <message numerus="yes">
        <source>%n operator(s) can&apos;t be told from others that were not taken, and stay away: %1</source>
        <translation>
            <numerusform>%n Operator lässt sich nicht von anderen unterscheiden, die nicht genommen wurden, und bleibt fern: %1</numerusform>
            <numerusform>%n Operatoren lassen sich nicht von anderen unterscheiden, die nicht genommen wurden, und bleiben fern: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::RulesPanel</name>
    <message>
        <source>No backend is chosen: choose backends (Ctrl+B), or write one of your own with New.</source>
        <translation>Kein Backend ist gewählt: wählen Sie Backends (Strg+B), oder schreiben Sie mit „Neu“ ein eigenes.</translation>
    </message>
    <message>
        <source>Faults</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Checking the rules</source>
        <translation>Regeln werden geprüft</translation>
    </message>
    <message>
        <source>there is a backend named %1 already</source>
        <translation>es gibt schon ein Backend namens %1</translation>
    </message>
    <message>
        <source>The text is valid. Open a module to see what it does.</source>
        <translation>Der Text ist gültig. Öffnen Sie ein Modul, um zu sehen, was er bewirkt.</translation>
    </message>
    <message>
        <source>change the rule %1 of %2</source>
        <translation>Regel %1 von %2 ändern</translation>
    </message>
    <message>
        <source>edit the rules of %1</source>
        <translation>Regeln von %1 bearbeiten</translation>
    </message>
    <message>
        <source>The file carries its annotations already: rules are not asked.</source>
        <translation>Die Datei trägt schon Annotationen: Regeln werden nicht gefragt.</translation>
    </message>
    <message>
        <source>The graph could not be divided: see Problems.</source>
        <translation>Der Graph ließ sich nicht aufteilen: siehe Probleme.</translation>
    </message>
    <message>
        <source>Valid; nothing moved.</source>
        <translation>Gültig; nichts hat sich bewegt.</translation>
    </message>
    <message numerus="yes">
        <source>%n gained</source>
        <translation>
            <numerusform>%n gewonnen</numerusform>
            <numerusform>%n gewonnen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lost</source>
        <translation>
            <numerusform>%n verloren</numerusform>
            <numerusform>%n verloren</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n moved</source>
        <translation>
            <numerusform>%n gewechselt</numerusform>
            <numerusform>%n gewechselt</numerusform>
        </translation>
    </message>
    <message>
        <source>regions %1 → %2</source>
        <translation>Regionen %1 → %2</translation>
    </message>
    <message>
        <source>%1:%2  %3</source>
        <translation>%1:%2  %3</translation>
    </message>
    <message numerus="yes">
        <source>%n fault(s); the last valid rules stay.</source>
        <translation>
            <numerusform>%n Fehler; die letzten gültigen Regeln bleiben.</numerusform>
            <numerusform>%n Fehler; die letzten gültigen Regeln bleiben.</numerusform>
        </translation>
    </message>
    <message>
        <source>Save the description</source>
        <translation>Die Beschreibung speichern</translation>
    </message>
    <message>
        <source>Backend descriptions (*.json);;All files (*)</source>
        <translation>Backend-Beschreibungen (*.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>The description was not saved</source>
        <translation>Die Beschreibung wurde nicht gespeichert</translation>
    </message>
    <message>
        <source>keep the rules of %1 in a file</source>
        <translation>Regeln von %1 in einer Datei halten</translation>
    </message>
    <message>
        <source>Saved as it is; the last valid rules stay.</source>
        <translation>Gespeichert, wie es ist; die letzten gültigen Regeln bleiben.</translation>
    </message>
    <message>
        <source>Saved.</source>
        <translation>Gespeichert.</translation>
    </message>
    <message>
        <source>Write &quot;%1&quot;: true under &quot;ops&quot;.</source>
        <translation>&quot;%1&quot;: true unter &quot;ops&quot; eintragen.</translation>
    </message>
    <message>
        <source>Read again; nothing moved.</source>
        <translation>Neu gelesen; nichts hat sich bewegt.</translation>
    </message>
    <message>
        <source>read again</source>
        <translation>neu gelesen</translation>
    </message>
    <message>
        <source>%1 can&apos;t be read.</source>
        <translation>%1 lässt sich nicht lesen.</translation>
    </message>
    <message>
        <source>Take theirs</source>
        <translation>Fremden Stand nehmen</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>Meinen behalten</translation>
    </message>
    <message>
        <source>read %1 again</source>
        <translation>%1 neu lesen</translation>
    </message>
    <message>
        <source>The file was changed</source>
        <translation>Die Datei wurde geändert</translation>
    </message>
    <message>
        <source>Save the rules?</source>
        <translation>Die Regeln speichern?</translation>
    </message>
    <message>
        <source>The text of %1 has faults and was not saved.</source>
        <translation>Der Text von %1 hat Fehler und wurde nicht gespeichert.</translation>
    </message>
    <message>
        <source>A project keeps the rules that were valid last.</source>
        <translation>Ein Projekt behält die zuletzt gültigen Regeln.</translation>
    </message>
    <message>
        <source>%1 was changed on disk since it was read here.</source>
        <translation>%1 wurde auf der Platte geändert, seit sie hier gelesen wurde.</translation>
    </message>
    <message>
        <source>Saving writes over what is there.</source>
        <translation>Speichern überschreibt, was dort steht.</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>takes</source>
        <translation>nimmt</translation>
    </message>
    <message>
        <source>refuses</source>
        <translation>lehnt ab</translation>
    </message>
    <message>
        <source>A click on the dot: play stops at each operator that the rule looks at</source>
        <translation>Ein Klick auf den Punkt: Abspielen hält bei jedem Operator, den die Regel ansieht</translation>
    </message>
    <message>
        <source>%1, line %2</source>
        <translation>%1, Zeile %2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 accepted; a limit or a choice by hand left %2 of them</source>
        <translation>%1 angenommen; eine Grenze oder eine Wahl von Hand ließ davon %2</translation>
    </message>
    <message>
        <source>Nothing in this graph asks it</source>
        <translation>Nichts in diesem Graphen fragt sie</translation>
    </message>
    <message>
        <source>Not run yet; the rules stay as they were.</source>
        <translation>Noch nicht ausgeführt; die Regeln bleiben, wie sie waren.</translation>
    </message>
    <message numerus="yes">
        <source>%n call(s) refused at this line</source>
        <translation>
            <numerusform>%n Aufruf in dieser Zeile abgelehnt</numerusform>
            <numerusform>%n Aufrufe in dieser Zeile abgelehnt</numerusform>
        </translation>
    </message>
    <message>
        <source>A click selects them.</source>
        <translation>Ein Klick wählt sie aus.</translation>
    </message>
    <message>
        <source>Reading rules</source>
        <translation>Regeln werden gelesen</translation>
    </message>
    <message>
        <source>Save the rules</source>
        <translation>Regeln speichern</translation>
    </message>
    <message>
        <source>Python (*.py)</source>
        <translation>Python (*.py)</translation>
    </message>
    <message>
        <source>Dividing was cancelled: the graph keeps its rules, the text stays as it is here.</source>
        <translation>Das Aufteilen wurde abgebrochen: Der Graph behält seine Regeln, der Text bleibt, wie er hier steht.</translation>
    </message>
    <message numerus="yes">
        <source>%1, and %n more: see Problems</source>
        <translation>
            <numerusform>%1, und %n weitere: siehe Probleme</numerusform>
            <numerusform>%1, und %n weitere: siehe Probleme</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::RunDifferenceModel</name>
    <message>
        <source>whole run</source>
        <translation>ganzer Lauf</translation>
    </message>
    <message>
        <source>%1, all calls</source>
        <translation>%1, alle Aufrufe</translation>
    </message>
    <message>
        <source>only in B</source>
        <translation>nur in B</translation>
    </message>
    <message>
        <source>only in A</source>
        <translation>nur in A</translation>
    </message>
    <message>
        <source>noise unknown</source>
        <translation>Rauschen unbekannt</translation>
    </message>
    <message>
        <source>same within noise</source>
        <translation>gleich bis aufs Rauschen</translation>
    </message>
    <message>
        <source>faster</source>
        <translation>schneller</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>langsamer</translation>
    </message>
    <message>
        <source>Region / operator</source>
        <translation>Region / Operator</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>B / A</source>
        <translation>B / A</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>Rauschen</translation>
    </message>
    <message>
        <source>B is</source>
        <translation>B ist</translation>
    </message>
    <message>
        <source>other operators</source>
        <translation>andere Operatoren</translation>
    </message>
    <message>
        <source>too noisy to tell: run again</source>
        <translation>zu unruhig für ein Urteil: noch einmal ausführen</translation>
    </message>
    <message>
        <source>How far off the ratio may be: by the ranks of the single runs (a test at the level of 1 %), and by how busy the machine was. It needs five runs of each.</source>
        <translation>Wie weit das Verhältnis danebenliegen kann: nach den Rängen der einzelnen Läufe (ein Test zum Niveau von 1 %) und danach, wie beschäftigt der Rechner war. Es braucht fünf Läufe von jedem.</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n other(s)</source>
        <translation>
            <numerusform>%1 und %n weiterer</numerusform>
            <numerusform>%1 und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>The smallest group of operators that both runs timed as a whole. Number of times in A: %1, in B: %2.</source>
        <translation>Die kleinste Gruppe von Operatoren, die beide Läufe als Ganzes maßen. Anzahl der Zeiten in A: %1, in B: %2.</translation>
    </message>
</context>
<context>
    <name>partita::RunInputs</name>
    <message>
        <source>Open a module first: these are values for its inputs.</source>
        <translation>Öffnen Sie zuerst ein Modul: Dies sind Werte für seine Eingaben.</translation>
    </message>
    <message>
        <source>Reading inputs</source>
        <translation>Eingaben werden gelesen</translation>
    </message>
    <message>
        <source>The input was not taken</source>
        <translation>Die Eingabe wurde nicht übernommen</translation>
    </message>
    <message>
        <source>The next run takes %1</source>
        <translation>Der nächste Lauf nimmt %1</translation>
    </message>
</context>
<context>
    <name>partita::SearchBar</name>
    <message>
        <source>Find: nn.conv2d   op:add   backend:default   shape:*x3x*   attr:stride   -op:add</source>
        <translation>Suchen: nn.conv2d   op:add   backend:default   shape:*x3x*   attr:stride   -op:add</translation>
    </message>
    <message>
        <source>Find in the graph</source>
        <translation>Im Graphen suchen</translation>
    </message>
    <message>
        <source>Previous hit (Shift+Enter)</source>
        <translation>Voriger Treffer (Umschalt+Eingabe)</translation>
    </message>
    <message>
        <source>Previous hit</source>
        <translation>Voriger Treffer</translation>
    </message>
    <message>
        <source>Next hit (Enter)</source>
        <translation>Nächster Treffer (Eingabe)</translation>
    </message>
    <message>
        <source>Next hit</source>
        <translation>Nächster Treffer</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alle wählen</translation>
    </message>
    <message>
        <source>Select all hits (Ctrl+Enter)</source>
        <translation>Alle Treffer wählen (Strg+Eingabe)</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Schließen (Esc)</translation>
    </message>
    <message>
        <source>Close the search</source>
        <translation>Die Suche schließen</translation>
    </message>
    <message>
        <source>no hit</source>
        <translation>kein Treffer</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message numerus="yes">
        <source>%n hit(s)</source>
        <translation>
            <numerusform>%n Treffer</numerusform>
            <numerusform>%n Treffer</numerusform>
        </translation>
    </message>
    <message>
        <source>no key %1:</source>
        <translation>kein Schlüssel %1:</translation>
    </message>
    <message>
        <source>Words must all match. Keys: op: name: backend: shape: type: attr: region:
With numbers: flops:&gt;1e9 bytes:1k..4M
* and ? are wildcards; /.../ is a regular expression; a leading - turns a word round.
Enter: next, Shift+Enter: previous, Ctrl+Enter: select all hits, Esc: close
Up: the query before, Down: on to the list of hits</source>
        <translation>Alle Wörter müssen zutreffen. Schlüssel: op: name: backend: shape: type: attr: region:
Mit Zahlen: flops:&gt;1e9 bytes:1k..4M
* und ? sind Platzhalter; /.../ ist ein regulärer Ausdruck; ein - davor kehrt ein Wort um.
Enter: weiter, Umschalt+Enter: zurück, Strg+Enter: alle Treffer auswählen, Esc: schließen
Pfeil aufwärts: die Anfrage davor, Pfeil abwärts: zur Liste der Treffer</translation>
    </message>
    <message>
        <source>List</source>
        <translation>Liste</translation>
    </message>
    <message>
        <source>List the hits of all functions (Down)</source>
        <translation>Die Treffer aller Funktionen auflisten (Pfeil abwärts)</translation>
    </message>
    <message>
        <source>can&apos;t be read: %1</source>
        <translation>nicht lesbar: %1</translation>
    </message>
</context>
<context>
    <name>partita::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>Like the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>Okabe-Ito (safe for colour-blind people)</source>
        <translation>Okabe-Ito (auch für Farbenblinde)</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Hoher Kontrast</translation>
    </message>
    <message>
        <source>Colours of backends</source>
        <translation>Farben der Backends</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>Size of text</source>
        <translation>Größe der Schrift</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Animate changes of layout</source>
        <translation>Änderungen der Anordnung bewegt zeigen</translation>
    </message>
    <message>
        <source>Show the overview in the corner</source>
        <translation>Die Übersicht in der Ecke zeigen</translation>
    </message>
    <message>
        <source>Show weights and constants as nodes</source>
        <translation>Gewichte und Konstanten als Knoten zeigen</translation>
    </message>
    <message>
        <source>Show attributes</source>
        <translation>Attribute zeigen</translation>
    </message>
    <message>
        <source>Show types of results</source>
        <translation>Typen der Ergebnisse zeigen</translation>
    </message>
    <message>
        <source>Show types on edges</source>
        <translation>Typen an Kanten zeigen</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>as many as cores</source>
        <translation>so viele wie Kerne</translation>
    </message>
    <message>
        <source>Runs before measuring</source>
        <translation>Läufe vor dem Messen</translation>
    </message>
    <message>
        <source>Measured runs</source>
        <translation>Gemessene Läufe</translation>
    </message>
    <message>
        <source>Compare outputs with the unpartitioned module</source>
        <translation>Ausgaben mit dem unpartitionierten Modul vergleichen</translation>
    </message>
    <message>
        <source>Draw edges as wide as their data is large</source>
        <translation>Kanten so breit zeichnen, wie ihre Daten groß sind</translation>
    </message>
    <message>
        <source>C compiler</source>
        <translation>C-Compiler</translation>
    </message>
    <message>
        <source>Its flags</source>
        <translation>Seine Optionen</translation>
    </message>
    <message>
        <source>the program&apos;s own</source>
        <translation>die des Programms</translation>
    </message>
    <message>
        <source>From the next start on</source>
        <translation>Ab dem nächsten Start</translation>
    </message>
    <message>
        <source>Language, from the next start</source>
        <translation>Sprache, ab dem nächsten Start</translation>
    </message>
    <message>
        <source>Ask again before allowed code runs</source>
        <translation>Wieder fragen, bevor erlaubter Code läuft</translation>
    </message>
    <message>
        <source>Forgets which backends&apos; code and annotators were allowed to run</source>
        <translation>Vergisst, welcher Code von Backends und welche Annotatoren laufen dürfen</translation>
    </message>
</context>
<context>
    <name>partita::StatusLine</name>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel what is running</source>
        <translation>Abbrechen, was gerade läuft</translation>
    </message>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n Aufruf</numerusform>
            <numerusform>%n Aufrufe</numerusform>
        </translation>
    </message>
    <message>
        <source>changed by hand</source>
        <translation>von Hand geändert</translation>
    </message>
    <message numerus="yes">
        <source>%n region(s)</source>
        <translation>
            <numerusform>%n Region</numerusform>
            <numerusform>%n Regionen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>%n gewählt</numerusform>
            <numerusform>%n gewählt</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::StepBar</name>
    <message>
        <source>First step</source>
        <translation>Erster Schritt</translation>
    </message>
    <message>
        <source>Go to the first step</source>
        <translation>Zum ersten Schritt</translation>
    </message>
    <message>
        <source>Step back</source>
        <translation>Schritt zurück</translation>
    </message>
    <message>
        <source>One step back</source>
        <translation>Einen Schritt zurück</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Play or pause</source>
        <translation>Abspielen oder anhalten</translation>
    </message>
    <message>
        <source>Step forward</source>
        <translation>Schritt vor</translation>
    </message>
    <message>
        <source>One step forward</source>
        <translation>Einen Schritt vor</translation>
    </message>
    <message>
        <source>Next breakpoint</source>
        <translation>Nächster Haltepunkt</translation>
    </message>
    <message>
        <source>Go on to the next breakpoint (Ctrl+F12)</source>
        <translation>Weiter zum nächsten Haltepunkt (Strg+F12)</translation>
    </message>
    <message>
        <source>Last step</source>
        <translation>Letzter Schritt</translation>
    </message>
    <message>
        <source>Go to the last step</source>
        <translation>Zum letzten Schritt</translation>
    </message>
    <message>
        <source>Show the result</source>
        <translation>Das Ergebnis zeigen</translation>
    </message>
    <message>
        <source>Leave the steps and show the result</source>
        <translation>Die Schritte verlassen und das Ergebnis zeigen</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>All decisions</source>
        <translation>Alle Entscheidungen</translation>
    </message>
    <message>
        <source>Placement</source>
        <translation>Zuweisung</translation>
    </message>
    <message>
        <source>Merging</source>
        <translation>Verschmelzen</translation>
    </message>
    <message>
        <source>Refusals</source>
        <translation>Ablehnungen</translation>
    </message>
    <message>
        <source>Which decisions</source>
        <translation>Welche Entscheidungen</translation>
    </message>
    <message>
        <source>Speed: slow</source>
        <translation>Tempo: langsam</translation>
    </message>
    <message>
        <source>Speed: normal</source>
        <translation>Tempo: normal</translation>
    </message>
    <message>
        <source>Speed: fast</source>
        <translation>Tempo: schnell</translation>
    </message>
    <message>
        <source>Speed: very fast</source>
        <translation>Tempo: sehr schnell</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Go on to the next breakpoint (Ctrl+F12)
Set one first: a click on the dot beside a rule, in Rules</source>
        <translation>Weiter zum nächsten Haltepunkt (Strg+F12)
Erst einen setzen: in „Regeln“ auf den Punkt neben einer Regel klicken</translation>
    </message>
</context>
<context>
    <name>partita::StepsModel</name>
    <message>
        <source>Simplify</source>
        <translation>Vereinfachen</translation>
    </message>
    <message>
        <source>Fold</source>
        <translation>Falten</translation>
    </message>
    <message>
        <source>Composite</source>
        <translation>Muster</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Zuweisen</translation>
    </message>
    <message>
        <source>Annotate</source>
        <translation>Annotieren</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>Verschmelzen</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>Partitionieren</translation>
    </message>
    <message>
        <source>%1 does not fit the pattern %2: %3.</source>
        <translation>%1 passt nicht zum Muster %2: %3.</translation>
    </message>
    <message>
        <source>Block %1: %2</source>
        <translation>Block %1: %2</translation>
    </message>
    <message numerus="yes">
        <source>In each of %n block(s): %1</source>
        <translation>
            <numerusform>Im Block: %1</numerusform>
            <numerusform>In jedem von %n Blöcken: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>In %1 of %n block(s): %2</source>
        <translation>
            <numerusform>In %1 von einem Block: %2</numerusform>
            <numerusform>In %1 von %n Blöcken: %2</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, and others</source>
        <translation>%1, und andere</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
</context>
<context>
    <name>partita::StepsPanel</name>
    <message>
        <source>Annotate, merge or partition: each decision appears here and can be played.</source>
        <translation>Annotieren, verschmelzen oder partitionieren: jede Entscheidung erscheint hier und lässt sich abspielen.</translation>
    </message>
    <message>
        <source>What is decided in this step</source>
        <translation>Was in diesem Schritt entschieden wird</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>Entscheidungen</translation>
    </message>
    <message numerus="yes">
        <source>%n decision(s). Play them, or choose one.</source>
        <translation>
            <numerusform>%n Entscheidung. Abspielen oder wählen.</numerusform>
            <numerusform>%n Entscheidungen. Abspielen oder eine wählen.</numerusform>
        </translation>
    </message>
    <message>
        <source>No decision of this kind.</source>
        <translation>Keine Entscheidung dieser Art.</translation>
    </message>
    <message>
        <source>The terms of the rule, with their values</source>
        <translation>Die Terme der Regel mit ihren Werten</translation>
    </message>
    <message>
        <source>it matches; there is no check</source>
        <translation>es passt; es gibt keine Prüfung</translation>
    </message>
    <message>
        <source>it matches, and its check holds: %1</source>
        <translation>es passt, und die Prüfung gilt: %1</translation>
    </message>
    <message>
        <source>%1 is %2</source>
        <translation>%1 ist %2</translation>
    </message>
    <message>
        <source>or</source>
        <translation>oder</translation>
    </message>
    <message>
        <source>No breakpoint is set.</source>
        <translation>Es ist kein Haltepunkt gesetzt.</translation>
    </message>
    <message>
        <source>No rule with a breakpoint is asked after this step.</source>
        <translation>Nach diesem Schritt wird keine Regel mit Haltepunkt mehr gefragt.</translation>
    </message>
    <message>
        <source>Replaying the steps</source>
        <translation>Schritte werden nachgespielt</translation>
    </message>
    <message>
        <source>This graph has no %1.</source>
        <translation>Dieser Graph hat kein %1.</translation>
    </message>
    <message>
        <source>The root of %1 is %2, and this graph has no %2.</source>
        <translation>Die Wurzel von %1 ist %2, und dieser Graph hat kein %2.</translation>
    </message>
    <message>
        <source>Explaining</source>
        <translation>Erklären</translation>
    </message>
    <message>
        <source>Looking which calls reach the lines</source>
        <translation>Es wird gesucht, welche Aufrufe die Zeilen erreichen</translation>
    </message>
    <message>
        <source>Before line %1</source>
        <translation>Vor Zeile %1</translation>
    </message>
    <message>
        <source>the rule ends here</source>
        <translation>hier endet die Regel</translation>
    </message>
    <message>
        <source>next line (Ctrl+F11)</source>
        <translation>nächste Zeile (Ctrl+F11)</translation>
    </message>
    <message>
        <source>Comparing the steps of blocks</source>
        <translation>Schritte der Blöcke vergleichen</translation>
    </message>
    <message>
        <source>stop %1 of %2</source>
        <translation>Halt %1 von %2</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>Beobachten</translation>
    </message>
    <message>
        <source>An expression of the rule language, such as attrs.groups or args[0].shape: each step tells what it is for its call. Empty: none.</source>
        <translation>Ein Ausdruck der Regelsprache, etwa attrs.groups oder args[0].shape: Jeder Schritt nennt, was er für dessen Aufruf ist. Leer: keiner.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>partita::TextPanel</name>
    <message>
        <source>Input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>After composite</source>
        <translation>Nach den Mustern</translation>
    </message>
    <message>
        <source>After annotate</source>
        <translation>Nach Annotieren</translation>
    </message>
    <message>
        <source>After merge</source>
        <translation>Nach Verschmelzen</translation>
    </message>
    <message>
        <source>After partition</source>
        <translation>Nach Partitionieren</translation>
    </message>
    <message>
        <source>Stage on the left</source>
        <translation>Stufe links</translation>
    </message>
    <message>
        <source>Stage on the right</source>
        <translation>Stufe rechts</translation>
    </message>
    <message>
        <source>Before:</source>
        <translation>Vorher:</translation>
    </message>
    <message>
        <source>After:</source>
        <translation>Nachher:</translation>
    </message>
    <message>
        <source>Relay text before</source>
        <translation>Relay-Text vorher</translation>
    </message>
    <message>
        <source>Relay text after</source>
        <translation>Relay-Text nachher</translation>
    </message>
    <message>
        <source>
… the text is too long to be shown; export it to read all of it</source>
        <translation>
… der Text ist zu lang zum Anzeigen; zum Lesen exportieren</translation>
    </message>
    <message>
        <source>This stage was not made yet.</source>
        <translation>Diese Stufe wurde noch nicht gemacht.</translation>
    </message>
    <message>
        <source>Printing Relay text</source>
        <translation>Relay-Text wird geschrieben</translation>
    </message>
    <message>
        <source>As read, before it was simplified</source>
        <translation>Wie gelesen, vor dem Vereinfachen</translation>
    </message>
</context>
<context>
    <name>partita::TimingAlikeView</name>
    <message>
        <source>Regions of these operators</source>
        <translation>Regionen aus diesen Operatoren</translation>
    </message>
    <message>
        <source>Executed by</source>
        <translation>Ausgeführt von</translation>
    </message>
    <message>
        <source>Regions</source>
        <translation>Regionen</translation>
    </message>
    <message>
        <source>Together</source>
        <translation>Zusammen</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Median of one</source>
        <translation>Median von einer</translation>
    </message>
    <message>
        <source>Spread</source>
        <translation>Streuung</translation>
    </message>
    <message>
        <source>From … to</source>
        <translation>Von … bis</translation>
    </message>
    <message>
        <source>Times of regions that are alike</source>
        <translation>Zeiten gleichartiger Regionen</translation>
    </message>
    <message>
        <source>The medians of these regions, added up</source>
        <translation>Die Summe der Mediane dieser Regionen</translation>
    </message>
    <message>
        <source>The interquartile range of the medians of these regions</source>
        <translation>Der Quartilsabstand der Mediane dieser Regionen</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n region(s) alike</source>
        <translation>
            <numerusform>%1, %n Region</numerusform>
            <numerusform>%1, %n gleichartige Regionen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::TimingChart</name>
    <message>
        <source>Time per region</source>
        <translation>Zeit je Region</translation>
    </message>
</context>
<context>
    <name>partita::TimingHistory</name>
    <message>
        <source>Run once more, in another division or with other settings, to compare two runs.</source>
        <translation>Noch einmal ausführen, mit anderer Aufteilung oder anderen Einstellungen, um zwei Läufe zu vergleichen.</translation>
    </message>
    <message>
        <source>Save B…</source>
        <translation>B speichern…</translation>
    </message>
    <message>
        <source>Open a run…</source>
        <translation>Lauf öffnen…</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>Run A</source>
        <translation>Lauf A</translation>
    </message>
    <message>
        <source>Run B</source>
        <translation>Lauf B</translation>
    </message>
    <message>
        <source>Keep the times of run B in a file</source>
        <translation>Die Zeiten des Laufs B in einer Datei speichern</translation>
    </message>
    <message>
        <source>Open a run that was kept in a file, also by partita-cli run --save-run</source>
        <translation>Einen gespeicherten Lauf öffnen, auch einen von partita-cli run --save-run</translation>
    </message>
    <message>
        <source>Differences of two runs</source>
        <translation>Unterschiede zweier Läufe</translation>
    </message>
    <message>
        <source>There is no run to save.</source>
        <translation>Es gibt keinen Lauf zu speichern.</translation>
    </message>
    <message>
        <source>Save the run</source>
        <translation>Lauf speichern</translation>
    </message>
    <message>
        <source>Runs (*.json)</source>
        <translation>Läufe (*.json)</translation>
    </message>
    <message>
        <source>The run was not saved</source>
        <translation>Der Lauf wurde nicht gespeichert</translation>
    </message>
    <message>
        <source>Open a run</source>
        <translation>Lauf öffnen</translation>
    </message>
    <message>
        <source>The run was not opened</source>
        <translation>Der Lauf wurde nicht geöffnet</translation>
    </message>
    <message numerus="yes">
        <source>%1. %2 on %3, %n thread(s): %4</source>
        <translation>
            <numerusform>%1. %2 auf %3, %n Thread: %4</numerusform>
            <numerusform>%1. %2 auf %3, %n Threads: %4</numerusform>
        </translation>
    </message>
    <message>
        <source>Comparing two runs</source>
        <translation>Zwei Läufe werden verglichen</translation>
    </message>
    <message>
        <source>These runs are of different models, or of other sizes: their times can&apos;t be compared.</source>
        <translation>Diese Läufe sind von verschiedenen Modellen oder anderen Größen: Ihre Zeiten lassen sich nicht vergleichen.</translation>
    </message>
    <message>
        <source>%1. %2 on %3: %4</source>
        <translation>%1. %2 auf %3: %4</translation>
    </message>
</context>
<context>
    <name>partita::TimingInvitation</name>
    <message>
        <source>The times of runs that the project keeps, two side by side</source>
        <translation>Die Zeiten der im Projekt gespeicherten Läufe, je zwei nebeneinander</translation>
    </message>
    <message>
        <source>The module is running…</source>
        <translation>Das Modul läuft…</translation>
    </message>
    <message>
        <source>Run the module to see where its time goes.</source>
        <translation>Das Modul ausführen, um zu sehen, wohin seine Zeit geht.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message numerus="yes">
        <source>Compare %n kept run(s)</source>
        <translation>
            <numerusform>%n gespeicherten Lauf vergleichen</numerusform>
            <numerusform>%n gespeicherte Läufe vergleichen</numerusform>
        </translation>
    </message>
    <message>
        <source>Its inputs: %1</source>
        <translation>Seine Eingaben: %1</translation>
    </message>
</context>
<context>
    <name>partita::TimingMemoryView</name>
    <message>
        <source>Kept in memory</source>
        <translation>Im Speicher behalten</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>Region</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>What is kept in memory at the chosen step</source>
        <translation>Was im gewählten Schritt im Speicher behalten wird</translation>
    </message>
    <message>
        <source>A module with control flow has no plan of its memory.</source>
        <translation>Ein Modul mit Kontrollfluss hat keinen Plan seines Speichers.</translation>
    </message>
    <message>
        <source>step %1 of %2, %3</source>
        <translation>Schritt %1 von %2, %3</translation>
    </message>
    <message numerus="yes">
        <source>%n value(s) kept</source>
        <translation>
            <numerusform>%n Wert behalten</numerusform>
            <numerusform>%n Werte behalten</numerusform>
        </translation>
    </message>
    <message>
        <source>The peak: %1 at %2 — %3. The plan takes %4 in all.</source>
        <translation>Der Höchststand: %1 bei %2 — %3. Der Plan braucht insgesamt %4.</translation>
    </message>
    <message>
        <source>%1 at %2 — %3. The peak is %4 (P).</source>
        <translation>%1 bei %2 — %3. Der Höchststand ist %4 (P).</translation>
    </message>
    <message>
        <source>workspace of the region</source>
        <translation>Arbeitsspeicher der Region</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n weiterer</numerusform>
            <numerusform>%n weitere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::TimingModel</name>
    <message>
        <source>%1 (fell back)</source>
        <translation>%1 (Rückfall)</translation>
    </message>
    <message>
        <source>Region / operator</source>
        <translation>Region / Operator</translation>
    </message>
    <message>
        <source>Executed by</source>
        <translation>Ausgeführt von</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Spread</source>
        <translation>Streuung</translation>
    </message>
    <message>
        <source>Ops</source>
        <translation>Ops</translation>
    </message>
    <message>
        <source>GFLOP/s</source>
        <translation>GFLOP/s</translation>
    </message>
    <message>
        <source>%1, partly default</source>
        <translation>%1, teils default</translation>
    </message>
    <message>
        <source>Compile</source>
        <translation>Kompilieren</translation>
    </message>
    <message>
        <source>The interquartile range of the measured runs</source>
        <translation>Der Quartilsabstand der gemessenen Läufe</translation>
    </message>
    <message>
        <source>Once, before the first run</source>
        <translation>Einmal, vor dem ersten Lauf</translation>
    </message>
    <message>
        <source>How many copies over the border and changes of layout there are in a run, and their time; where the backend can tell</source>
        <translation>Wie viele Kopien über die Grenze und Layoutwechsel ein Lauf hat, und ihre Zeit; wo das Backend es sagen kann</translation>
    </message>
    <message>
        <source>Floating-point operations a second</source>
        <translation>Gleitkommaoperationen je Sekunde</translation>
    </message>
    <message>
        <source>Bytes of inputs and outputs, counted once</source>
        <translation>Bytes der Ein- und Ausgaben, einmal gezählt</translation>
    </message>
    <message>
        <source>Min.</source>
        <translation>Min.</translation>
    </message>
    <message>
        <source>Layouts</source>
        <translation>Layouts</translation>
    </message>
    <message>
        <source>Copy as CSV copies all of them</source>
        <translation>„Als CSV kopieren“ kopiert sie alle</translation>
    </message>
    <message numerus="yes">
        <source>%n shorter operator(s)</source>
        <translation>
            <numerusform>%n kürzerer Operator</numerusform>
            <numerusform>%n kürzere Operatoren</numerusform>
        </translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>The largest relative error of what the region gives, held against the same region on default</source>
        <translation>Der größte relative Fehler dessen, was die Region liefert, gegenüber derselben Region auf default</translation>
    </message>
    <message>
        <source>Moved</source>
        <translation>Bewegt</translation>
    </message>
</context>
<context>
    <name>partita::TimingPanel</name>
    <message>
        <source>Heat on the graph</source>
        <translation>Wärme im Graphen</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>Als CSV kopieren</translation>
    </message>
    <message>
        <source>Colour the operators by the time they took</source>
        <translation>Die Operatoren nach ihrer Zeit färben</translation>
    </message>
    <message>
        <source>outputs equal to default (relative error %1)</source>
        <translation>Ausgaben gleich default (relativer Fehler %1)</translation>
    </message>
    <message>
        <source>Compare regions</source>
        <translation>Regionen vergleichen</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitachse</translation>
    </message>
    <message>
        <source>Flame</source>
        <translation>Flamme</translation>
    </message>
    <message>
        <source>Copy what the shown view holds as comma-separated values</source>
        <translation>Was die gezeigte Ansicht enthält, mit Kommas getrennt kopieren</translation>
    </message>
    <message>
        <source>Views of the run</source>
        <translation>Ansichten des Laufs</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>Compare runs</source>
        <translation>Läufe vergleichen</translation>
    </message>
    <message>
        <source>Run again and hold what each region gives against the same region on default; the first that differs is selected</source>
        <translation>Noch einmal ausführen und was jede Region ergibt mit derselben Region auf default vergleichen; die erste abweichende wird ausgewählt</translation>
    </message>
    <message>
        <source>There are no regions: annotate the module and run it again</source>
        <translation>Es gibt keine Regionen: das Modul annotieren und noch einmal ausführen</translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n Thread</numerusform>
            <numerusform>%n Threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>all %n region(s) equal</source>
        <translation>
            <numerusform>%n Region gleich</numerusform>
            <numerusform>alle %n Regionen gleich</numerusform>
        </translation>
    </message>
    <message>
        <source>Relative error: |a − b| / (|b| + scale / 20), scale being the largest |b| of the tensor</source>
        <translation>Relativer Fehler: |a − b| / (|b| + Skala / 20), mit der Skala als größtem |b| des Tensors</translation>
    </message>
    <message>
        <source>Measuring what this machine can do…</source>
        <translation>Es wird gemessen, was diese Maschine kann…</translation>
    </message>
    <message>
        <source>Measuring this machine</source>
        <translation>Diese Maschine messen</translation>
    </message>
    <message>
        <source>Comparing regions</source>
        <translation>Regionen vergleichen</translation>
    </message>
    <message>
        <source>The regions were not compared</source>
        <translation>Die Regionen wurden nicht verglichen</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; median, %2 measured after %3 to warm up</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; Median, %2 gemessen nach %3 zum Aufwärmen</translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation>Spitze %1</translation>
    </message>
    <message>
        <source>first run %1, compiling %2</source>
        <translation>erster Lauf %1, Kompilieren %2</translation>
    </message>
    <message>
        <source>No run of this session yet: run the module to fill the other views.</source>
        <translation>In dieser Sitzung noch kein Lauf: das Modul ausführen, um die anderen Ansichten zu füllen.</translation>
    </message>
    <message>
        <source>Heat</source>
        <translation>Wärme</translation>
    </message>
    <message>
        <source>Compare</source>
        <comment>regions, in a narrow panel</comment>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>CSV</source>
        <translation>CSV</translation>
    </message>
    <message>
        <source>Runs</source>
        <comment>compares two, in a narrow panel</comment>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Preparing the views of the run</source>
        <translation>Die Ansichten des Laufs werden vorbereitet</translation>
    </message>
    <message>
        <source>Copying</source>
        <translation>Wird kopiert</translation>
    </message>
    <message>
        <source>The table is on the clipboard.</source>
        <translation>Die Tabelle ist in der Zwischenablage.</translation>
    </message>
    <message>
        <source>first wrong region: %1</source>
        <translation>erste falsche Region: %1</translation>
    </message>
    <message>
        <source>outputs differ (relative error %1)</source>
        <translation>Ausgaben weichen ab (relativer Fehler %1)</translation>
    </message>
    <message>
        <source>&lt;b&gt;default compared with itself&lt;/b&gt;</source>
        <translation>&lt;b&gt;default mit sich selbst verglichen&lt;/b&gt;</translation>
    </message>
    <message>
        <source>. Against a run in float64 it is %1, that of default %2</source>
        <translation>. Gegen eine Ausführung in float64 ist er %1, der von default %2</translation>
    </message>
    <message>
        <source>outputs equal to default but for rounding (relative error %1)</source>
        <translation>Ausgaben gleich default bis auf Rundung (relativer Fehler %1)</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>inputs: %1</source>
        <translation>Eingaben: %1</translation>
    </message>
    <message>
        <source>&lt;i&gt;of other inputs than are chosen now&lt;/i&gt;</source>
        <translation>&lt;i&gt;mit anderen Eingaben als jetzt gewählt&lt;/i&gt;</translation>
    </message>
    <message>
        <source>Alike</source>
        <translation>Gleichartige</translation>
    </message>
    <message>
        <source>%1 cross the boundaries of regions</source>
        <translation>%1 kreuzen die Grenzen von Regionen</translation>
    </message>
    <message>
        <source>&lt;i&gt;of an earlier division, run again for this one (F5)&lt;/i&gt;</source>
        <translation>&lt;i&gt;einer früheren Aufteilung, für diese neu ausführen (F5)&lt;/i&gt;</translation>
    </message>
    <message>
        <source>The run is of an earlier division, which had this region; the graph has others now. Run again (F5).</source>
        <translation>Der Lauf gehört zu einer früheren Aufteilung, die diese Region hatte; der Graph hat jetzt andere. Neu ausführen (F5).</translation>
    </message>
    <message numerus="yes">
        <source>&lt;b&gt;%1&lt;/b&gt; mean of %n run(s) of %2</source>
        <translation>
            <numerusform>&lt;b&gt;%1&lt;/b&gt; im Mittel von %n Lauf von %2</numerusform>
            <numerusform>&lt;b&gt;%1&lt;/b&gt; im Mittel von %n Läufen von %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::TimingRooflineView</name>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>Nothing in this run does floating-point work that could be shown.</source>
        <translation>Nichts in diesem Lauf leistet Gleitkommaarbeit, die sich zeigen ließe.</translation>
    </message>
    <message>
        <source>operations for each byte moved</source>
        <translation>Operationen je bewegtem Byte</translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation>Spitze %1</translation>
    </message>
    <message>
        <source>memory %1</source>
        <translation>Speicher %1</translation>
    </message>
    <message>
        <source>%1: %2 % of the %3 bound</source>
        <translation>%1: %2 % der Grenze (%3)</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>%1
%2, %3
%4 operations for each byte
%5 % of the %6 bound</source>
        <translation>%1
%2, %3
%4 Operationen je Byte
%5 % der Grenze (%6)</translation>
    </message>
    <message>
        <source>region</source>
        <translation>Region</translation>
    </message>
    <message>
        <source>operator</source>
        <translation>Operator</translation>
    </message>
</context>
<context>
    <name>partita::TimingRows</name>
    <message>
        <source>%1, executed by %2</source>
        <translation>%1, ausgeführt von %2</translation>
    </message>
    <message>
        <source>change of layout</source>
        <translation>Layoutwechsel</translation>
    </message>
    <message>
        <source>copy over the border</source>
        <translation>Kopie über die Grenze</translation>
    </message>
    <message>
        <source>Threads of the backend&apos;s own library are not measured</source>
        <translation>Threads der eigenen Bibliothek des Backends werden nicht gemessen</translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation>%1 µs</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>Regions</source>
        <translation>Regionen</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>Operatoren</translation>
    </message>
    <message>
        <source>Thread %1</source>
        <translation>Thread %1</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>beschäftigt</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>whole run</source>
        <translation>ganzer Lauf</translation>
    </message>
</context>
<context>
    <name>partita::TimingRowsView</name>
    <message>
        <source>Arrow keys choose a bar, plus and minus zoom, 0 shows all.</source>
        <translation>Pfeiltasten wählen einen Balken, Plus und Minus zoomen, 0 zeigt alles.</translation>
    </message>
    <message>
        <source>This run left no timeline: the module has control flow.</source>
        <translation>Dieser Lauf hat keine Zeitachse: das Modul hat Verzweigungen.</translation>
    </message>
</context>
<context>
    <name>partita::TimingTable</name>
    <message>
        <source>Times</source>
        <translation>Zeiten</translation>
    </message>
</context>
<context>
    <name>partita::ToolBars</name>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Backends</source>
        <translation>Backends</translation>
    </message>
    <message>
        <source>Selection to</source>
        <translation>Auswahl an</translation>
    </message>
</context>
<context>
    <name>partita::ViewMenu</name>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>H&amp;ide</source>
        <translation>Ausblen&amp;den</translation>
    </message>
    <message>
        <source>&amp;Groups</source>
        <translation>&amp;Gruppen</translation>
    </message>
    <message>
        <source>Pa&amp;th between two</source>
        <translation>&amp;Weg zwischen zweien</translation>
    </message>
    <message>
        <source>Highlight all that lies between two selected nodes; again: take it back</source>
        <translation>Alles hervorheben, was zwischen zwei gewählten Knoten liegt; nochmals: zurücknehmen</translation>
    </message>
    <message>
        <source>&amp;Bookmarks</source>
        <translation>&amp;Lesezeichen</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>&amp;Bereiche</translation>
    </message>
    <message>
        <source>To the &amp;graph</source>
        <translation>Zum &amp;Graphen</translation>
    </message>
    <message>
        <source>Ctrl+J</source>
        <translation>Ctrl+J</translation>
    </message>
    <message>
        <source>The keyboard goes from a panel to the graph</source>
        <translation>Die Tastatur geht von einem Feld zum Graphen</translation>
    </message>
    <message>
        <source>&amp;Presentation</source>
        <translation>&amp;Präsentation</translation>
    </message>
    <message>
        <source>Ctrl+Shift+F</source>
        <translation>Ctrl+Shift+F</translation>
    </message>
    <message>
        <source>The graph alone, in large type and full screen; Esc: back</source>
        <translation>Nur der Graph, in großer Schrift und im Vollbild; Esc: zurück</translation>
    </message>
    <message>
        <source>Show the &amp;question</source>
        <translation>&amp;Frage zeigen</translation>
    </message>
    <message>
        <source>In a presentation: what the lesson&apos;s page asks</source>
        <translation>In einer Präsentation: was die Seite der Lektion fragt</translation>
    </message>
    <message>
        <source>A &amp;minute to answer</source>
        <translation>Eine &amp;Minute zum Antworten</translation>
    </message>
    <message>
        <source>Shift+Q</source>
        <translation>Umschalt+Q</translation>
    </message>
    <message>
        <source>In a presentation: the time that is left, two minutes at first</source>
        <translation>In einer Präsentation: die Zeit, die bleibt, zuerst zwei Minuten</translation>
    </message>
    <message>
        <source>Present first</source>
        <translation>Starten Sie zuerst die Präsentation</translation>
    </message>
    <message>
        <source>&amp;Fit</source>
        <translation>Ein&amp;passen</translation>
    </message>
    <message>
        <source>Show the whole graph</source>
        <translation>Den ganzen Graphen zeigen</translation>
    </message>
    <message>
        <source>Fit the &amp;selection</source>
        <translation>&amp;Auswahl einpassen</translation>
    </message>
    <message>
        <source>Show the selected operators</source>
        <translation>Die gewählten Operatoren zeigen</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>Ver&amp;größern</translation>
    </message>
    <message>
        <source>Ctrl++</source>
        <translation>Ctrl++</translation>
    </message>
    <message>
        <source>Larger (also Ctrl+wheel)</source>
        <translation>Größer (auch Strg+Rad)</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>Ver&amp;kleinern</translation>
    </message>
    <message>
        <source>Ctrl+-</source>
        <translation>Ctrl+-</translation>
    </message>
    <message>
        <source>Smaller (also Ctrl+wheel)</source>
        <translation>Kleiner (auch Strg+Rad)</translation>
    </message>
    <message>
        <source>&amp;Actual size</source>
        <translation>&amp;Originalgröße</translation>
    </message>
    <message>
        <source>Ctrl+0</source>
        <translation>Ctrl+0</translation>
    </message>
    <message>
        <source>One to one</source>
        <translation>Eins zu eins</translation>
    </message>
    <message>
        <source>&amp;Compare stages or files</source>
        <translation>Stufen oder Dateien &amp;vergleichen</translation>
    </message>
    <message>
        <source>Ctrl+D</source>
        <translation>Ctrl+D</translation>
    </message>
    <message>
        <source>Two stages of the flow, or two files, side by side with what is different</source>
        <translation>Zwei Stufen des Ablaufs oder zwei Dateien nebeneinander, mit ihren Unterschieden</translation>
    </message>
    <message>
        <source>&amp;Heat of the last run</source>
        <translation>&amp;Wärme der letzten Ausführung</translation>
    </message>
    <message>
        <source>Colour operators by the time they took</source>
        <translation>Operatoren nach ihrer Zeit färben</translation>
    </message>
    <message>
        <source>Run the module first</source>
        <translation>Zuerst das Modul ausführen</translation>
    </message>
    <message>
        <source>Heat by &amp;loss elsewhere</source>
        <translation>Wärme nach &amp;Verlust anderswo</translation>
    </message>
    <message>
        <source>Colour operators by what a run would take more if they were on another backend: after Place by time</source>
        <translation>Operatoren danach färben, was ein Lauf mehr bräuchte, wenn sie auf einem anderen Backend wären: nach „Nach Zeit platzieren“</translation>
    </message>
    <message>
        <source>Place by time first (Ctrl+Shift+B)</source>
        <translation>Erst nach Zeit platzieren (Strg+Umschalt+B)</translation>
    </message>
    <message>
        <source>&amp;Weights and constants</source>
        <translation>&amp;Gewichte und Konstanten</translation>
    </message>
    <message>
        <source>&amp;Names of operators</source>
        <translation>&amp;Namen der Operatoren</translation>
    </message>
    <message>
        <source>Ctrl+U</source>
        <translation>Ctrl+U</translation>
    </message>
    <message>
        <source>From left to ri&amp;ght</source>
        <translation>Von links nach r&amp;echts</translation>
    </message>
    <message>
        <source>Ctrl+K</source>
        <translation>Ctrl+K</translation>
    </message>
    <message>
        <source>&amp;Types on edges</source>
        <translation>&amp;Typen an Kanten</translation>
    </message>
    <message>
        <source>&amp;Overview</source>
        <translation>Ü&amp;bersicht</translation>
    </message>
    <message>
        <source>&amp;Widths of edges by bytes</source>
        <translation>&amp;Kantenbreite nach Bytes</translation>
    </message>
    <message>
        <source>&amp;Attributes on nodes…</source>
        <translation>&amp;Attribute auf Knoten…</translation>
    </message>
    <message>
        <source>Which attributes stand on the nodes, by operator</source>
        <translation>Welche Attribute auf den Knoten stehen, je Operator</translation>
    </message>
    <message>
        <source>&amp;Colours by query…</source>
        <translation>&amp;Farben nach Anfrage…</translation>
    </message>
    <message>
        <source>A colour of its own for what each of some queries finds</source>
        <translation>Eine eigene Farbe für das, was jede von einigen Anfragen findet</translation>
    </message>
    <message>
        <source>&amp;Casts</source>
        <translation>&amp;Typumwandlungen</translation>
    </message>
    <message>
        <source>&amp;Reshapes and transposes</source>
        <translation>&amp;Umformen und Vertauschen der Achsen</translation>
    </message>
    <message>
        <source>&amp;Quantize and dequantize</source>
        <translation>&amp;Quantisieren und Dequantisieren</translation>
    </message>
    <message>
        <source>&amp;Automatic</source>
        <translation>&amp;Automatisch</translation>
    </message>
    <message>
        <source>Groups for graphs that are too large to be read as they are</source>
        <translation>Gruppen für Graphen, die so zu groß zum Lesen sind</translation>
    </message>
    <message>
        <source>&amp;None</source>
        <translation>&amp;Keine</translation>
    </message>
    <message>
        <source>Every operator for itself</source>
        <translation>Jeder Operator für sich</translation>
    </message>
    <message>
        <source>By &amp;region</source>
        <translation>Nach &amp;Region</translation>
    </message>
    <message>
        <source>Each region as one node</source>
        <translation>Jede Region als ein Knoten</translation>
    </message>
    <message>
        <source>By name &amp;scope</source>
        <translation>Nach &amp;Namensraum</translation>
    </message>
    <message>
        <source>By names such as layer1/conv2, where the file has them</source>
        <translation>Nach Namen wie layer1/conv2, wo die Datei sie hat</translation>
    </message>
    <message>
        <source>By repeated &amp;structure</source>
        <translation>Nach wiederholter &amp;Struktur</translation>
    </message>
    <message>
        <source>Blocks that come again and again as one node each</source>
        <translation>Blöcke, die immer wieder vorkommen, als je ein Knoten</translation>
    </message>
    <message>
        <source>&amp;Close the group</source>
        <translation>Gruppe &amp;schließen</translation>
    </message>
    <message>
        <source>Close the group round the current node</source>
        <translation>Die Gruppe um den aktuellen Knoten schließen</translation>
    </message>
    <message>
        <source>&amp;Open all groups</source>
        <translation>Alle Gruppen ö&amp;ffnen</translation>
    </message>
    <message>
        <source>Show every operator; this may take a while and can be stopped</source>
        <translation>Jeden Operator zeigen; das kann dauern und lässt sich anhalten</translation>
    </message>
    <message>
        <source>Close a&amp;ll groups</source>
        <translation>A&amp;lle Gruppen schließen</translation>
    </message>
    <message>
        <source>Show the outermost groups</source>
        <translation>Die äußersten Gruppen zeigen</translation>
    </message>
    <message>
        <source>Close the ta&amp;b</source>
        <translation>&amp;Reiter schließen</translation>
    </message>
    <message>
        <source>Close this function&apos;s tab</source>
        <translation>Den Reiter dieser Funktion schließen</translation>
    </message>
    <message>
        <source>Next tab</source>
        <translation>Nächster Reiter</translation>
    </message>
    <message>
        <source>Ctrl+PgDown</source>
        <translation>Ctrl+PgDown</translation>
    </message>
    <message>
        <source>Show the next function</source>
        <translation>Die nächste Funktion zeigen</translation>
    </message>
    <message>
        <source>Previous tab</source>
        <translation>Voriger Reiter</translation>
    </message>
    <message>
        <source>Ctrl+PgUp</source>
        <translation>Ctrl+PgUp</translation>
    </message>
    <message>
        <source>Show the function before</source>
        <translation>Die Funktion davor zeigen</translation>
    </message>
    <message>
        <source>Back to the &amp;caller</source>
        <translation>Zurück zum Aufru&amp;fer</translation>
    </message>
    <message>
        <source>Show the function from which this one was opened</source>
        <translation>Die Funktion zeigen, aus der diese geöffnet wurde</translation>
    </message>
    <message>
        <source>Next model</source>
        <translation>Nächstes Modell</translation>
    </message>
    <message>
        <source>Ctrl+Tab</source>
        <translation>Ctrl+Tab</translation>
    </message>
    <message>
        <source>Show the model in the next tab</source>
        <translation>Das Modell im nächsten Tab zeigen</translation>
    </message>
    <message>
        <source>Previous model</source>
        <translation>Voriges Modell</translation>
    </message>
    <message>
        <source>Ctrl+Shift+Tab</source>
        <translation>Ctrl+Shift+Tab</translation>
    </message>
    <message>
        <source>Show the model in the tab before</source>
        <translation>Das Modell im vorigen Tab zeigen</translation>
    </message>
    <message>
        <source>Bac&amp;k to the place before</source>
        <translation>&amp;Zurück zur Stelle davor</translation>
    </message>
    <message>
        <source>Alt+Left</source>
        <translation>Alt+Left</translation>
    </message>
    <message>
        <source>Select again what was selected before, where that was</source>
        <translation>Wieder auswählen, was vorher ausgewählt war, und dorthin gehen</translation>
    </message>
    <message>
        <source>Nothing was selected before</source>
        <translation>Vorher war nichts ausgewählt</translation>
    </message>
    <message>
        <source>For&amp;ward to the next place</source>
        <translation>&amp;Vor zur nächsten Stelle</translation>
    </message>
    <message>
        <source>Alt+Right</source>
        <translation>Alt+Right</translation>
    </message>
    <message>
        <source>Select again what was left by going back</source>
        <translation>Wieder auswählen, wovon man zurückging</translation>
    </message>
    <message>
        <source>Nobody went back from another place</source>
        <translation>Von keiner anderen Stelle ging jemand zurück</translation>
    </message>
    <message>
        <source>&amp;Bookmark</source>
        <translation>&amp;Lesezeichen</translation>
    </message>
    <message>
        <source>Mark the selected operator to find it again; again: take the mark off</source>
        <translation>Den gewählten Operator merken, um ihn wiederzufinden; nochmals: Zeichen entfernen</translation>
    </message>
    <message>
        <source>N&amp;ote…</source>
        <translation>N&amp;otiz…</translation>
    </message>
    <message>
        <source>Write about the selected operator; the note is kept in the project and stands in the report</source>
        <translation>Etwas zum ausgewählten Operator schreiben; die Notiz bleibt im Projekt und steht im Bericht</translation>
    </message>
    <message>
        <source>&amp;Next bookmark</source>
        <translation>&amp;Nächstes Lesezeichen</translation>
    </message>
    <message>
        <source>Go to the next marked operator</source>
        <translation>Zum nächsten gemerkten Operator gehen</translation>
    </message>
    <message>
        <source>&amp;Previous bookmark</source>
        <translation>&amp;Voriges Lesezeichen</translation>
    </message>
    <message>
        <source>Go to the marked operator before</source>
        <translation>Zum gemerkten Operator davor gehen</translation>
    </message>
    <message>
        <source>Step forward</source>
        <translation>Schritt vor</translation>
    </message>
    <message>
        <source>The next decision of the passes</source>
        <translation>Die nächste Entscheidung der Durchgänge</translation>
    </message>
    <message>
        <source>Step back</source>
        <translation>Schritt zurück</translation>
    </message>
    <message>
        <source>The decision before</source>
        <translation>Die vorige Entscheidung</translation>
    </message>
    <message>
        <source>Play or pause the steps</source>
        <translation>Schritte abspielen oder anhalten</translation>
    </message>
    <message>
        <source>Play the decisions of the passes</source>
        <translation>Die Entscheidungen der Durchgänge abspielen</translation>
    </message>
    <message>
        <source>On to the next breakpoint</source>
        <translation>Weiter zum nächsten Haltepunkt</translation>
    </message>
    <message>
        <source>Ctrl+F12</source>
        <translation>Ctrl+F12</translation>
    </message>
    <message>
        <source>The next decision of a rule with a breakpoint</source>
        <translation>Die nächste Entscheidung einer Regel mit Haltepunkt</translation>
    </message>
    <message>
        <source>On to the next line of the rule</source>
        <translation>Zur nächsten Zeile der Regel</translation>
    </message>
    <message>
        <source>Ctrl+F11</source>
        <translation>Ctrl+F11</translation>
    </message>
    <message>
        <source>The next line that a rule in Python reaches for the call at hand</source>
        <translation>Die nächste Zeile, die eine Regel in Python für diesen Aufruf erreicht</translation>
    </message>
    <message>
        <source>Watch an expression…</source>
        <translation>Ausdruck beobachten …</translation>
    </message>
    <message>
        <source>Each step tells what an expression of the rule language is for its call</source>
        <translation>Jeder Schritt nennt, was ein Ausdruck der Regelsprache für dessen Aufruf ist</translation>
    </message>
    <message>
        <source>Select two nodes.</source>
        <translation>Zwei Knoten wählen.</translation>
    </message>
    <message>
        <source>No path leads from one to the other.</source>
        <translation>Kein Weg führt vom einen zum anderen.</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Note on %1:</source>
        <translation>Notiz zu %1:</translation>
    </message>
    <message>
        <source>The graph has changed meanwhile</source>
        <translation>Der Graph hat sich inzwischen geändert</translation>
    </message>
    <message>
        <source>No operator is marked.</source>
        <translation>Kein Operator ist gemerkt.</translation>
    </message>
</context>
<context>
    <name>partita::WelcomePage</name>
    <message>
        <source>Samples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>See how a neural network is divided among compilers, change it, and run the result.</source>
        <translation>Sehen, wie ein neuronales Netz auf Compiler aufgeteilt wird, die Aufteilung ändern und das Ergebnis ausführen.</translation>
    </message>
    <message>
        <source>Open a module…</source>
        <translation>Modul öffnen…</translation>
    </message>
    <message>
        <source>Files that you open appear here.</source>
        <translation>Geöffnete Dateien erscheinen hier.</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>Lektionen</translation>
    </message>
    <message>
        <source>Self-attention with four heads: dense and softmax can go to dnnl, reshape and transpose stay on default between them.</source>
        <translation>Self-Attention mit vier Köpfen: dense und softmax können zu dnnl, reshape und transpose bleiben dazwischen bei default.</translation>
    </message>
    <message>
        <source>A diamond: ccompiler takes add, multiply and subtract, but the subtract may not merge with them: exp lies between.</source>
        <translation>Eine Raute: ccompiler nimmt add, multiply und subtract, doch subtract darf nicht mit ihnen verschmelzen: exp liegt dazwischen.</translation>
    </message>
    <message>
        <source>Divides in the way: ccompiler takes add, subtract and multiply, and two divides split them into three regions.</source>
        <translation>Divisionen im Weg: ccompiler nimmt add, subtract und multiply, und zwei divide teilen sie in drei Regionen.</translation>
    </message>
    <message>
        <source>Two int8 convolutions with a stop_fusion between them: it ends a region, unless a backend calls it transparent.</source>
        <translation>Zwei int8-Faltungen mit einem stop_fusion dazwischen: es beendet eine Region, es sei denn, ein Backend nennt es durchlässig.</translation>
    </message>
    <message>
        <source>A residual block: once simplified, its batch_norms come apart, and what carries data is one region of dnnl.</source>
        <translation>Ein Residualblock: vereinfacht zerfallen seine batch_norms, und was Daten trägt, ist eine Region von dnnl.</translation>
    </message>
    <message>
        <source>Three branches, two of them annotated by hand for ccompiler: no backend is asked for them.</source>
        <translation>Drei Zweige, zwei davon von Hand für ccompiler annotiert: für sie wird kein Backend gefragt.</translation>
    </message>
    <message>
        <source>Two functions that name their own compiler with the attribute `compiler`: partitioning needs no rule for them.</source>
        <translation>Zwei Funktionen, die ihren Compiler mit dem Attribut `compiler` selbst nennen: das Partitionieren braucht für sie keine Regel.</translation>
    </message>
    <message>
        <source>Go on where you left</source>
        <translation>Weitermachen</translation>
    </message>
    <message>
        <source>Go on with %1</source>
        <translation>Weiter mit %1</translation>
    </message>
    <message>
        <source>Open the last module with its division</source>
        <translation>Das letzte Modul mit seiner Aufteilung öffnen</translation>
    </message>
    <message>
        <source>The samples were not installed with the program.</source>
        <translation>Die Beispiele wurden nicht mit dem Programm installiert.</translation>
    </message>
    <message>
        <source>Relay text (.relay) and ONNX (.onnx) can also be dropped here: two files are compared.</source>
        <translation>Relay-Text (.relay) und ONNX (.onnx) lassen sich auch hierher ziehen: Zwei Dateien werden verglichen.</translation>
    </message>
    <message>
        <source>A &lt;b&gt;backend&lt;/b&gt; is a compiler that takes some operators: &lt;b&gt;dnnl&lt;/b&gt; calls oneDNN&apos;s fast kernels, &lt;b&gt;ccompiler&lt;/b&gt; writes C and compiles it. What no backend takes runs on &lt;b&gt;default&lt;/b&gt;, Partita&apos;s own kernels. Neighbouring operators of one backend are compiled together: a &lt;b&gt;region&lt;/b&gt;.</source>
        <translation>Ein &lt;b&gt;Backend&lt;/b&gt; ist ein Compiler, der einige Operatoren annimmt: &lt;b&gt;dnnl&lt;/b&gt; ruft die schnellen Kernels von oneDNN auf, &lt;b&gt;ccompiler&lt;/b&gt; schreibt C und kompiliert es. Was kein Backend annimmt, läuft auf &lt;b&gt;default&lt;/b&gt;, Partitas eigenen Kernels. Benachbarte Operatoren eines Backends werden zusammen kompiliert: eine &lt;b&gt;Region&lt;/b&gt;.</translation>
    </message>
    <message>
        <source>Every question was answered right</source>
        <translation>Jede Frage wurde richtig beantwortet</translation>
    </message>
    <message>
        <source>Next lesson: %1</source>
        <translation>Nächste Lektion: %1</translation>
    </message>
    <message>
        <source>Begin here: %1</source>
        <translation>Hier beginnen: %1</translation>
    </message>
</context>
</TS>
