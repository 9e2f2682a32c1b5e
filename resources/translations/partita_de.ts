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
    </context>
    <context>
        <name>Inspector</name>
        <message>
            <source>%1 GFLOP</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>%1 MFLOP</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>%1 kFLOP</source>
            <translation type="unfinished" />
        </message>
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
            <source>%1 of %2 calls (%3 %)</source>
            <translation>%1 von %2 Aufrufen (%3 %)</translation>
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
        <message>
            <source>No decision names it.</source>
            <translation>Keine Entscheidung nennt ihn.</translation>
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
            <source>Rules are asked about calls alone.</source>
            <translation>Regeln werden nur zu Aufrufen gefragt.</translation>
        </message>
        <message>
            <source>The file's own annotations say so.</source>
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
            <source>It goes to %1: you said so.</source>
            <translation>Er geht zu %1: Sie haben es so gesagt.</translation>
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
    </context>
    <context>
        <name>QDialog</name>
        <message>
            <source>Help</source>
            <translation>Hilfe</translation>
        </message>
    </context>
    <context>
        <name>QObject</name>
        <message>
            <source>Double-click or Enter: open</source>
            <translation>Doppelklick oder Eingabe: öffnen</translation>
        </message>
        <message>
            <source>Sub-function for %1. Double-click or Enter: open</source>
            <translation>Teilfunktion für %1. Doppelklick oder Eingabe: öffnen</translation>
        </message>
        <message>
            <source>%1
%2 inputs, %3 outputs, %4 MFLOP, %5 KiB across its border</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>… and %1 more</source>
            <translation>… und %1 weitere</translation>
        </message>
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
            <translation>Nach dem Zerteilen (%1)</translation>
        </message>
        <message numerus="yes">
            <source>%1 · %n op(s)</source>
            <translation>
                <numerusform>%1 · %n Op</numerusform>
                <numerusform>%1 · %n Ops</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>main</name>
        <message>
            <source>partita: no such command now: %1</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>partita: can't write %1</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>See and change how a neural network is divided among compilers.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Relay text or ONNX to open</source>
            <translation type="unfinished" />
        </message>
    </context>
    <context>
        <name>partita::BackendsDialog</name>
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
            <source>Backends are asked from top to bottom; an operator goes to the first whose rules accept it.</source>
            <translation>Backends werden von oben nach unten gefragt; ein Operator geht an das erste, dessen Regeln ihn annehmen.</translation>
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
            <source>Backend descriptions (*.json);;All files (*)</source>
            <translation>Backend-Beschreibungen (*.json);;Alle Dateien (*)</translation>
        </message>
        <message>
            <source>Not a backend description</source>
            <translation>Keine Backend-Beschreibung</translation>
        </message>
        <message>
            <source>The name is taken</source>
            <translation>Der Name ist vergeben</translation>
        </message>
        <message>
            <source>There is a backend named %1 already.</source>
            <translation>Es gibt schon ein Backend namens %1.</translation>
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
            <translation>Ausgabe %1 weicht um bis zu %2 vom unzerteilten Modul ab (relativ %3)</translation>
        </message>
        <message>
            <source>the code of this backend was not allowed to run</source>
            <translation>der Code dieses Backends durfte nicht laufen</translation>
        </message>
    </context>
    <context>
        <name>partita::GraphPage</name>
        <message>
            <source>%1 partitioned</source>
            <translation>%1 zerteilt</translation>
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
        <name>partita::LessonsPanel</name>
        <message>
            <source>Back</source>
            <translation>Zurück</translation>
        </message>
        <message>
            <source>Next</source>
            <translation>Weiter</translation>
        </message>
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
            <source>Choose a lesson above. Each opens a small graph of its own.</source>
            <translation>Oben eine Lektion wählen. Jede öffnet einen kleinen eigenen Graphen.</translation>
        </message>
        <message>
            <source>Answer</source>
            <translation>Antwort</translation>
        </message>
        <message>
            <source>%1 of %2</source>
            <translation>%1 von %2</translation>
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
            <translation>Es fehlen: %1.</translation>
        </message>
        <message>
            <source>Too many: %1.</source>
            <translation>Zu viel: %1.</translation>
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
            <source>Open functions</source>
            <translation>Offene Funktionen</translation>
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
            <source>Problems</source>
            <translation>Probleme</translation>
        </message>
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
        <message>
            <source>%1 was not opened</source>
            <translation>%1 wurde nicht geöffnet</translation>
        </message>
        <message>
            <source>The run failed</source>
            <translation>Die Ausführung ist gescheitert</translation>
        </message>
        <message>
            <source>@main partitioned</source>
            <translation>@main zerteilt</translation>
        </message>
        <message>
            <source>&amp;File</source>
            <translation>&amp;Datei</translation>
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
            <source>Open &amp;recent</source>
            <translation>&amp;Zuletzt geöffnet</translation>
        </message>
        <message>
            <source>Open a &amp;sample</source>
            <translation>&amp;Beispiel öffnen</translation>
        </message>
        <message>
            <source>Re&amp;load</source>
            <translation>&amp;Neu laden</translation>
        </message>
        <message>
            <source>Read the file again; choices are lost</source>
            <translation>Die Datei neu lesen; Entscheidungen gehen verloren</translation>
        </message>
        <message>
            <source>Ctrl+R</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>&amp;Export…</source>
            <translation>&amp;Exportieren…</translation>
        </message>
        <message>
            <source>Ctrl+E</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Write Relay text, JSON, SVG, PNG, PDF, DOT or a report</source>
            <translation>Relay-Text, JSON, SVG, PNG, PDF, DOT oder einen Bericht schreiben</translation>
        </message>
        <message>
            <source>Copy &amp;picture</source>
            <translation>&amp;Bild kopieren</translation>
        </message>
        <message>
            <source>Ctrl+Shift+C</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Copy what the canvas shows</source>
            <translation>Kopieren, was die Zeichenfläche zeigt</translation>
        </message>
        <message>
            <source>The picture is on the clipboard.</source>
            <translation>Das Bild ist in der Zwischenablage.</translation>
        </message>
        <message>
            <source>&amp;Quit</source>
            <translation>&amp;Beenden</translation>
        </message>
        <message>
            <source>Close the program</source>
            <translation>Das Programm schließen</translation>
        </message>
        <message>
            <source>&amp;Edit</source>
            <translation>&amp;Bearbeiten</translation>
        </message>
        <message>
            <source>&amp;Undo</source>
            <translation>&amp;Rückgängig</translation>
        </message>
        <message>
            <source>&amp;Redo</source>
            <translation>&amp;Wiederholen</translation>
        </message>
        <message>
            <source>Ctrl+Shift+Z</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Ctrl+Y</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Edit</source>
            <translation>Bearbeiten</translation>
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
            <source>Se&amp;ttings…</source>
            <translation>&amp;Einstellungen…</translation>
        </message>
        <message>
            <source>Ctrl+,</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Theme, graph, running</source>
            <translation>Aussehen, Graph, Ausführung</translation>
        </message>
        <message>
            <source>F&amp;low</source>
            <translation>A&amp;blauf</translation>
        </message>
        <message>
            <source>&amp;Annotate</source>
            <translation>&amp;Annotieren</translation>
        </message>
        <message>
            <source>Give operators to backends by the backends' rules</source>
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
            <translation>&amp;Zerteilen</translation>
        </message>
        <message>
            <source>Make each region a function of its own</source>
            <translation>Jede Region zu einer eigenen Funktion machen</translation>
        </message>
        <message>
            <source>partition</source>
            <translation>zerteilen</translation>
        </message>
        <message>
            <source>&amp;Next pass</source>
            <translation>&amp;Nächster Durchgang</translation>
        </message>
        <message>
            <source>Annotate, then merge, then partition</source>
            <translation>Annotieren, dann verschmelzen, dann zerteilen</translation>
        </message>
        <message>
            <source>&amp;Whole flow</source>
            <translation>&amp;Ganzer Ablauf</translation>
        </message>
        <message>
            <source>Annotate, merge and partition in one step</source>
            <translation>Annotieren, verschmelzen und zerteilen in einem Schritt</translation>
        </message>
        <message>
            <source>whole flow</source>
            <translation>ganzer Ablauf</translation>
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
            <source>start over</source>
            <translation>von vorn</translation>
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
            <source>Use &amp;composite patterns</source>
            <translation>&amp;Muster verwenden</translation>
        </message>
        <message>
            <source>Match the backends' patterns before annotating</source>
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
            <source>&amp;Cancel</source>
            <translation>&amp;Abbrechen</translation>
        </message>
        <message>
            <source>Ctrl+.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>&amp;Backend</source>
            <translation>&amp;Backend</translation>
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
            <source>&amp;Choose backends…</source>
            <translation>Backends &amp;wählen…</translation>
        </message>
        <message>
            <source>Ctrl+B</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Which backends, in which order; add one from a file</source>
            <translation>Welche Backends in welcher Reihenfolge; eines aus einer Datei hinzufügen</translation>
        </message>
        <message>
            <source>&amp;View</source>
            <translation>&amp;Ansicht</translation>
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
            <source>Larger (also Ctrl+wheel)</source>
            <translation>Größer (auch Strg+Rad)</translation>
        </message>
        <message>
            <source>Ctrl++</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Zoom &amp;out</source>
            <translation>Ver&amp;kleinern</translation>
        </message>
        <message>
            <source>Smaller (also Ctrl+wheel)</source>
            <translation>Kleiner (auch Strg+Rad)</translation>
        </message>
        <message>
            <source>Ctrl+-</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>&amp;Actual size</source>
            <translation>&amp;Originalgröße</translation>
        </message>
        <message>
            <source>Ctrl+0</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>One to one</source>
            <translation>Eins zu eins</translation>
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
            <source>&amp;Weights and constants</source>
            <translation>&amp;Gewichte und Konstanten</translation>
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
            <source>&amp;Panels</source>
            <translation>&amp;Leisten</translation>
        </message>
        <message>
            <source>&amp;Presentation</source>
            <translation>&amp;Vorführung</translation>
        </message>
        <message>
            <source>Ctrl+Shift+F</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>The graph alone, in full screen; again: back</source>
            <translation>Nur der Graph, im ganzen Bildschirm; noch einmal: zurück</translation>
        </message>
        <message>
            <source>&amp;Help</source>
            <translation>&amp;Hilfe</translation>
        </message>
        <message>
            <source>How to use Partita</source>
            <translation>Wie man Partita benutzt</translation>
        </message>
        <message>
            <source>&amp;Commands…</source>
            <translation>&amp;Befehle…</translation>
        </message>
        <message>
            <source>Ctrl+Shift+P</source>
            <translation type="unfinished" />
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
        <message>
            <source>%1 %2</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Give the selection to %1</source>
            <translation>Die Auswahl an %1 geben</translation>
        </message>
        <message>
            <source>Open a module first</source>
            <translation>Zuerst ein Modul öffnen</translation>
        </message>
        <message>
            <source>Select operators first</source>
            <translation>Zuerst Operatoren wählen</translation>
        </message>
        <message>
            <source>The file carries its annotations already</source>
            <translation>Die Datei trägt ihre Annotationen schon</translation>
        </message>
        <message>
            <source>Choose backends first</source>
            <translation>Zuerst Backends wählen</translation>
        </message>
        <message>
            <source>A run is going on</source>
            <translation>Eine Ausführung läuft</translation>
        </message>
        <message>
            <source>Run the module first</source>
            <translation>Zuerst das Modul ausführen</translation>
        </message>
        <message>
            <source>Annotate, merge or partition first</source>
            <translation>Zuerst annotieren, verschmelzen oder zerteilen</translation>
        </message>
        <message numerus="yes">
            <source>%n call(s)</source>
            <translation>
                <numerusform>%n Aufruf</numerusform>
                <numerusform>%n Aufrufe</numerusform>
            </translation>
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
        <message>
            <source>Forget them</source>
            <translation>Vergessen</translation>
        </message>
        <message>
            <source>All passes were made.</source>
            <translation>Alle Durchgänge sind gemacht.</translation>
        </message>
        <message>
            <source>Open a module</source>
            <translation>Modul öffnen</translation>
        </message>
        <message>
            <source>Modules (*.relay *.txt *.onnx *.partita);;All files (*)</source>
            <translation>Module (*.relay *.txt *.onnx *.partita);;Alle Dateien (*)</translation>
        </message>
        <message>
            <source>Export</source>
            <translation>Exportieren</translation>
        </message>
        <message>
            <source>Exporting %1</source>
            <translation>%1 wird exportiert</translation>
        </message>
        <message>
            <source>%1 was not written</source>
            <translation>%1 wurde nicht geschrieben</translation>
        </message>
        <message>
            <source>%1 was written.</source>
            <translation>%1 wurde geschrieben.</translation>
        </message>
        <message>
            <source>About Partita</source>
            <translation>Über Partita</translation>
        </message>
        <message>
            <source>&lt;h3&gt;Partita %1&lt;/h3&gt;&lt;p&gt;See how a neural-network graph is divided among compilers, change the division, and run the result.&lt;/p&gt;&lt;p&gt;Built with Qt %2, Graphviz and oneDNN.&lt;/p&gt;</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Lessons</source>
            <translation>Lektionen</translation>
        </message>
        <message>
            <source>Save the project?</source>
            <translation>Projekt speichern?</translation>
        </message>
        <message>
            <source>%1 has changes that were not saved.</source>
            <translation>%1 hat Änderungen, die nicht gespeichert sind.</translation>
        </message>
        <message>
            <source>&amp;Go on where you left</source>
            <translation>&amp;Weitermachen</translation>
        </message>
        <message>
            <source>Ctrl+Shift+O</source>
            <translation type="unfinished" />
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
            <translation type="unfinished" />
        </message>
        <message>
            <source>Write what you chose to another file</source>
            <translation>In eine andere Datei schreiben, was gewählt wurde</translation>
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
            <source>There is no earlier session</source>
            <translation>Es gibt keine frühere Sitzung</translation>
        </message>
        <message>
            <source>Save the project</source>
            <translation>Projekt speichern</translation>
        </message>
        <message>
            <source>Projects (*.partita)</source>
            <translation>Projekte (*.partita)</translation>
        </message>
        <message>
            <source>Export a &amp;report…</source>
            <translation>Be&amp;richt ausgeben…</translation>
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
            <source>Export a report</source>
            <translation>Bericht ausgeben</translation>
        </message>
        <message>
            <source>Pages (*.html);;Markdown with pictures beside it (*.md)</source>
            <translation>Seiten (*.html);;Markdown mit Bildern daneben (*.md)</translation>
        </message>
        <message>
            <source>Rules</source>
            <translation>Regeln</translation>
        </message>
        <message>
            <source>&amp;Edit rules</source>
            <translation>Regeln &amp;bearbeiten</translation>
        </message>
        <message>
            <source>Change a backend's rules and see at once what moves</source>
            <translation>Die Regeln eines Backends ändern und sofort sehen, was sich bewegt</translation>
        </message>
        <message>
            <source>C&amp;overage</source>
            <translation>&amp;Abdeckung</translation>
        </message>
        <message>
            <source>Coverage</source>
            <translation>Abdeckung</translation>
        </message>
        <message>
            <source>What goes where, what keeps the rest away, and what would change that</source>
            <translation>Was wohin geht, was den Rest abhält und was das ändern würde</translation>
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
        <name>partita::OutlinePanel</name>
        <message>
            <source>Filter functions and regions</source>
            <translation>Funktionen und Regionen filtern</translation>
        </message>
        <message>
            <source>Outline</source>
            <translation>Gliederung</translation>
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
            <source>Words must all match. Keys: op: name: backend: shape: type: attr: region:
* and ? are wildcards; a leading - turns a word round.
Enter: next, Shift+Enter: previous, Ctrl+Enter: select all hits, Esc: close</source>
            <translation type="unfinished" />
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
            <translation type="unfinished" />
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
            <source>Run independent regions side by side</source>
            <translation>Unabhängige Regionen nebeneinander ausführen</translation>
        </message>
        <message>
            <source>Compare outputs with the unpartitioned module</source>
            <translation>Ausgaben mit dem unzerteilten Modul vergleichen</translation>
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
            <translation>Ort</translation>
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
            <translation>Zerteilen</translation>
        </message>
    </context>
    <context>
        <name>partita::StepsPanel</name>
        <message>
            <source>Annotate, merge or partition: each decision appears here and can be played.</source>
            <translation>Annotieren, verschmelzen oder zerteilen: jede Entscheidung erscheint hier und lässt sich abspielen.</translation>
        </message>
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
            <source>slow</source>
            <translation>langsam</translation>
        </message>
        <message>
            <source>normal</source>
            <translation>normal</translation>
        </message>
        <message>
            <source>fast</source>
            <translation>schnell</translation>
        </message>
        <message>
            <source>very fast</source>
            <translation>sehr schnell</translation>
        </message>
        <message>
            <source>Speed</source>
            <translation>Tempo</translation>
        </message>
        <message>
            <source>Step</source>
            <translation>Schritt</translation>
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
            <translation>Nach dem Annotieren</translation>
        </message>
        <message>
            <source>After merge</source>
            <translation>Nach dem Verschmelzen</translation>
        </message>
        <message>
            <source>After partition</source>
            <translation>Nach dem Zerteilen</translation>
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
            <translation type="unfinished" />
        </message>
        <message>
            <source>This stage was not made yet.</source>
            <translation>Diese Stufe wurde noch nicht gemacht.</translation>
        </message>
        <message>
            <source>Printing Relay text</source>
            <translation>Relay-Text wird geschrieben</translation>
        </message>
    </context>
    <context>
        <name>partita::TimingChart</name>
        <message>
            <source>Time per region</source>
            <translation>Zeit je Region</translation>
        </message>
        <message>
            <source>%1 ms</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>%1 µs</source>
            <translation type="unfinished" />
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
            <source>Median ms</source>
            <translation>Median ms</translation>
        </message>
        <message>
            <source>Share</source>
            <translation>Anteil</translation>
        </message>
        <message>
            <source>Spread ms</source>
            <translation>Streuung ms</translation>
        </message>
        <message>
            <source>Ops</source>
            <translation>Ops</translation>
        </message>
        <message>
            <source>GFLOP/s</source>
            <translation type="unfinished" />
        </message>
        <message>
            <source>Border KiB</source>
            <translation>Grenze KiB</translation>
        </message>
        <message>
            <source>%1, partly default</source>
            <translation>%1, teils default</translation>
        </message>
        <message>
            <source>Minimum ms</source>
            <translation>Minimum ms</translation>
        </message>
        <message>
            <source>Compile ms</source>
            <translation>Übersetzen ms</translation>
        </message>
        <message>
            <source>Copies, layouts ms</source>
            <translation>Kopien, Layouts ms</translation>
        </message>
        <message>
            <source>Moved KiB</source>
            <translation>Bewegt KiB</translation>
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
    </context>
    <context>
        <name>partita::TimingPanel</name>
        <message>
            <source>Heat on the graph</source>
            <translation>Wärme im Graphen</translation>
        </message>
        <message>
            <source>Run the module to see where its time goes.</source>
            <translation>Das Modul ausführen, um zu sehen, wohin seine Zeit geht.</translation>
        </message>
        <message>
            <source>Run</source>
            <translation>Ausführen</translation>
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
            <source>Times</source>
            <translation>Zeiten</translation>
        </message>
        <message>
            <source>&lt;b&gt;%1 ms&lt;/b&gt; median of a run</source>
            <translation>&lt;b&gt;%1 ms&lt;/b&gt; Median eines Laufs</translation>
        </message>
        <message>
            <source>peak %1 MiB</source>
            <translation>Spitze %1 MiB</translation>
        </message>
        <message>
            <source>outputs equal to default (relative error %1)</source>
            <translation>Ausgaben gleich default (relativer Fehler %1)</translation>
        </message>
        <message>
            <source>&lt;b&gt;outputs differ&lt;/b&gt; (relative error %1)</source>
            <translation>&lt;b&gt;Ausgaben weichen ab&lt;/b&gt; (relativer Fehler %1)</translation>
        </message>
        <message>
            <source>&lt;i&gt;of an earlier division&lt;/i&gt;</source>
            <translation>&lt;i&gt;einer früheren Aufteilung&lt;/i&gt;</translation>
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
            <source>The module is running…</source>
            <translation>Das Modul läuft…</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>Abbrechen</translation>
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
        <message>
            <source>up to %1 regions side by side</source>
            <translation>bis zu %1 Regionen nebeneinander</translation>
        </message>
        <message>
            <source>&lt;b&gt;first wrong region: %1&lt;/b&gt;</source>
            <translation>&lt;b&gt;erste falsche Region: %1&lt;/b&gt;</translation>
        </message>
        <message numerus="yes">
            <source>all %n region(s) equal</source>
            <translation>
                <numerusform>%n Region gleich</numerusform>
                <numerusform>alle %n Regionen gleich</numerusform>
            </translation>
        </message>
        <message>
            <source>Relative error: |a − b| / (|b| + scale / 100), scale being the largest |b| of the tensor</source>
            <translation>Relativer Fehler: |a − b| / (|b| + Skala / 100), mit der Skala als größtem |b| des Tensors</translation>
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
            <translation>erster Lauf %1, Übersetzen %2</translation>
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
            <translation>Sehen, wie ein neuronales Netz unter Compilern aufgeteilt wird, es ändern und das Ergebnis ausführen.</translation>
        </message>
        <message>
            <source>Open a module…</source>
            <translation>Modul öffnen…</translation>
        </message>
        <message>
            <source>Relay text (.relay) and ONNX (.onnx) can also be dropped here.</source>
            <translation>Relay-Text (.relay) und ONNX (.onnx) können auch hier abgelegt werden.</translation>
        </message>
        <message>
            <source>Files that you open appear here.</source>
            <translation>Geöffnete Dateien erscheinen hier.</translation>
        </message>
    </context>
    <context>
        <name>partita::HeatLegend</name>
        <message>
            <source>An operator's colour on the graph stands for its time, from none to the longest one's</source>
            <translation>Die Farbe eines Operators im Graphen steht für seine Zeit, von keiner bis zur längsten</translation>
        </message>
        <message>
            <source>Heat: from 0 to %1</source>
            <translation>Wärme: von 0 bis %1</translation>
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
            <source>The interquartile ranges as shares of the medians, added and taken times the ratio; it needs three runs of each.</source>
            <translation>Die Quartilsabstände als Anteile der Mediane, addiert und mal das Verhältnis; nötig sind je drei Läufe.</translation>
        </message>
        <message>
            <source>Region / operator</source>
            <translation>Region / Operator</translation>
        </message>
        <message>
            <source>A ms</source>
            <translation>A ms</translation>
        </message>
        <message>
            <source>B ms</source>
            <translation>B ms</translation>
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
    </context>
    <context>
        <name>partita::TimingHistory</name>
        <message>
            <source>Run once more, in another division or with other settings, to compare two runs.</source>
            <translation>Noch einmal ausführen, mit anderer Teilung oder anderen Einstellungen, um zwei Läufe zu vergleichen.</translation>
        </message>
        <message>
            <source>Save B…</source>
            <translation>B sichern…</translation>
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
            <translation>Die Zeiten des Laufs B in einer Datei aufheben</translation>
        </message>
        <message>
            <source>Open a run that was kept in a file, also by partita-cli run --save-run</source>
            <translation>Einen aufgehobenen Lauf öffnen, auch einen von partita-cli run --save-run</translation>
        </message>
        <message>
            <source>Differences of two runs</source>
            <translation>Unterschiede zweier Läufe</translation>
        </message>
        <message>
            <source>There is no run to save.</source>
            <translation>Es gibt keinen Lauf zu sichern.</translation>
        </message>
        <message>
            <source>Save the run</source>
            <translation>Lauf sichern</translation>
        </message>
        <message>
            <source>Runs (*.json)</source>
            <translation>Läufe (*.json)</translation>
        </message>
        <message>
            <source>The run was not saved</source>
            <translation>Der Lauf wurde nicht gesichert</translation>
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
            <source>Threads of the backend's own library are not measured</source>
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
            <source>Regions, lane %1</source>
            <translation>Regionen, Spur %1</translation>
        </message>
        <message>
            <source>Regions</source>
            <translation>Regionen</translation>
        </message>
        <message>
            <source>Operators, lane %1</source>
            <translation>Operatoren, Spur %1</translation>
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
            <source>Divide the graph once for each cause</source>
            <translation>Den Graphen für jede Ursache einmal aufteilen</translation>
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
            <source>What if it were supported</source>
            <translation>Was, wenn es unterstützt würde</translation>
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
            <source>nothing stayed on default</source>
            <translation>nichts blieb bei default</translation>
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
        <message numerus="yes">
            <source>Give the %n call(s) to %1; undo takes it back</source>
            <translation>
                <numerusform>Den Aufruf %1 geben; Rückgängig nimmt es zurück</numerusform>
                <numerusform>Die %n Aufrufe %1 geben; Rückgängig nimmt es zurück</numerusform>
            </translation>
        </message>
        <message>
            <source>try on %1: %2</source>
            <translation>Versuch mit %1: %2</translation>
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
    </context>
    <context>
        <name>partita::RulesPanel</name>
        <message>
            <source>No backend is chosen: choose backends (Ctrl+B), or write one of your own with New.</source>
            <translation>Kein Backend ist gewählt: wählen Sie Backends (Strg+B), oder schreiben Sie mit „Neu“ ein eigenes.</translation>
        </message>
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
            <source>Revert</source>
            <translation>Verwerfen</translation>
        </message>
        <message>
            <source>Back to the file's text, or to what ships</source>
            <translation>Zurück zum Text der Datei oder zum Mitgelieferten</translation>
        </message>
        <message>
            <source>Faults</source>
            <translation>Fehler</translation>
        </message>
        <message>
            <source>Rules</source>
            <translation>Regeln</translation>
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
            <source>%1, line %2</source>
            <translation>%1, Zeile %2</translation>
        </message>
        <message>
            <source>No backend is chosen</source>
            <translation>Kein Backend ist gewählt</translation>
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
            <source>Rule</source>
            <translation>Regel</translation>
        </message>
        <message>
            <source>A click on the dot: play stops at each operator that the rule looks at</source>
            <translation>Ein Klick auf den Punkt: Abspielen hält bei jedem Operator, den die Regel ansieht</translation>
        </message>
        <message>
            <source>shipped</source>
            <translation>mitgeliefert</translation>
        </message>
    </context>
</TS>
