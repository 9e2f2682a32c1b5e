<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>Canvas</name>
    <message numerus="yes">
        <source>%1 · %n op(s)</source>
        <translation>
            <numerusform>%1 · %n op</numerusform>
            <numerusform>%1 · %n ops</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Edge</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Inputs</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n call</numerusform>
            <numerusform>%n calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n expression(s)</source>
        <translation>
            <numerusform>%n expression</numerusform>
            <numerusform>%n expressions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>%n selected</numerusform>
            <numerusform>%n selected</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>… (%n expression(s))</source>
        <translation>
            <numerusform>… (%n expression)</numerusform>
            <numerusform>… (%n expressions)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Prediction</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::BackendsDialog</name>
    <message numerus="yes">
        <source>%n operator(s)</source>
        <translation>
            <numerusform>%n operator</numerusform>
            <numerusform>%n operators</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pattern(s)</source>
        <translation>
            <numerusform>%n pattern</numerusform>
            <numerusform>%n patterns</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::Bisecting</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Found after %n run(s): %1</source>
        <translation>
            <numerusform>Found after %n run: %1</numerusform>
            <numerusform>Found after %n runs: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::BudgetField</name>
    <message numerus="yes">
        <source>%n operator(s) behind the end of the budget</source>
        <translation>
            <numerusform>%n operator behind the end of the budget</numerusform>
            <numerusform>%n operators behind the end of the budget</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::CoveragePanel</name>
    <message numerus="yes">
        <source>%n tensor(s) go in and out of its regions</source>
        <translation>
            <numerusform>%n tensor goes in and out of its regions</numerusform>
            <numerusform>%n tensors go in and out of its regions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n call(s) stayed on default</source>
        <translation>
            <numerusform>%1 of %n call stayed on default</numerusform>
            <numerusform>%1 of %n calls stayed on default</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n call(s) are offloaded</source>
        <translation>
            <numerusform>The one call is offloaded</numerusform>
            <numerusform>All %n calls are offloaded</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n block(s) alike</source>
        <translation>
            <numerusform>%1, one block</numerusform>
            <numerusform>%1, %n blocks alike</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::DiffPage</name>
    <message numerus="yes">
        <source>%n function(s) added</source>
        <translation>
            <numerusform>%n function added</numerusform>
            <numerusform>%n functions added</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n function(s) removed</source>
        <translation>
            <numerusform>%n function removed</numerusform>
            <numerusform>%n functions removed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::Document</name>
    <message numerus="yes">
        <source>give %n operator(s) to %1</source>
        <translation>
            <numerusform>give %n operator to %1</numerusform>
            <numerusform>give %n operators to %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>leave %n operator(s) to the rules</source>
        <translation>
            <numerusform>leave %n operator to the rules</numerusform>
            <numerusform>leave %n operators to the rules</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>split %n operator(s) off</source>
        <translation>
            <numerusform>split %n operator off</numerusform>
            <numerusform>split %n operators off</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>join %n operator(s)</source>
        <translation>
            <numerusform>join %n operator</numerusform>
            <numerusform>join %n operators</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n call</numerusform>
            <numerusform>%n calls</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::EditMenu</name>
    <message numerus="yes">
        <source>In %n block(s)</source>
        <translation>
            <numerusform>In %n block</numerusform>
            <numerusform>In %n blocks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) differ and have some of it</source>
        <translation>
            <numerusform>%n block differs and has some of it</numerusform>
            <numerusform>%n blocks differ and have some of it</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) differ and have none</source>
        <translation>
            <numerusform>%n block differs and has none</numerusform>
            <numerusform>%n blocks differ and have none</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::ElementEditor</name>
    <message numerus="yes">
        <source>Change attributes of %n calls of %1</source>
        <translation>
            <numerusform>Change attributes of %n call of %1</numerusform>
            <numerusform>Change attributes of %n calls of %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::GraphEditor</name>
    <message numerus="yes">
        <source>delete %n expression(s)</source>
        <translation>
            <numerusform>delete %n expression</numerusform>
            <numerusform>delete %n expressions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::GraphPage</name>
    <message numerus="yes">
        <source>placing %n node(s)</source>
        <translation>
            <numerusform>placing %n node</numerusform>
            <numerusform>placing %n nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::GroupsNotice</name>
    <message numerus="yes">
        <source>%1 nodes, with %n group(s) closed. Enter or a double click opens a group, C closes the one round a node.</source>
        <translation>
            <numerusform>%1 nodes, with %n group closed. Enter or a double click opens a group, C closes the one round a node.</numerusform>
            <numerusform>%1 nodes, with %n groups closed. Enter or a double click opens a group, C closes the one round a node.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::HitList</name>
    <message numerus="yes">
        <source>%n function(s) were not searched: the module has too many.</source>
        <translation>
            <numerusform>%n function was not searched: the module has too many.</numerusform>
            <numerusform>%n functions were not searched: the module has too many.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::InspectorStages</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::LessonsPanel</name>
    <message numerus="yes">
        <source>The panel Problems lists all %n faults.</source>
        <translation>
            <numerusform>The panel Problems lists the one fault.</numerusform>
            <numerusform>The panel Problems lists all %n faults.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pattern(s)</source>
        <translation>
            <numerusform>%n pattern</numerusform>
            <numerusform>%n patterns</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n question(s) right, %2 of %3 points. A right answer at the first attempt counts two.</source>
        <translation>
            <numerusform>%1 of %n question right, %2 of %3 points. A right answer at the first attempt counts two.</numerusform>
            <numerusform>%1 of %n questions right, %2 of %3 points. A right answer at the first attempt counts two.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n region(s) now, and %1 cross their boundaries.</source>
        <translation>
            <numerusform>%n region now, and %1 cross its boundary.</numerusform>
            <numerusform>%n regions now, and %1 cross their boundaries.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n region(s) right at attempt %2.</source>
        <translation>
            <numerusform>%1 of %n region right at attempt %2.</numerusform>
            <numerusform>%1 of %n regions right at attempt %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The course: %1 of %2 points, %3 of %n lesson(s) done, %4 minutes at the questions.</source>
        <translation>
            <numerusform>The course: %1 of %2 points, %3 of %n lesson done, %4 minutes at the questions.</numerusform>
            <numerusform>The course: %1 of %2 points, %3 of %n lessons done, %4 minutes at the questions.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n region(s); at most %1</source>
        <translation>
            <numerusform>%n region; at most %1</numerusform>
            <numerusform>%n regions; at most %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rule(s) changed; at most %1</source>
        <translation>
            <numerusform>%n rule changed; at most %1</numerusform>
            <numerusform>%n rules changed; at most %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::OperatorDialog</name>
    <message numerus="yes">
        <source>a tuple of the %n selected</source>
        <translation>
            <numerusform>a tuple of the %n selected</numerusform>
            <numerusform>a tuple of the %n selected</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::OutlineModel</name>
    <message numerus="yes">
        <source>%1, %n alike</source>
        <translation>
            <numerusform>%1, %n alike</numerusform>
            <numerusform>%1, %n alike</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n region(s) of the same operators
Together: %1, %2 across their borders</source>
        <translation>
            <numerusform>%n region of these operators
Together: %1, %2 across its border</numerusform>
            <numerusform>%n regions of the same operators
Together: %1, %2 across their borders</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n input(s)</source>
        <translation>
            <numerusform>%n input</numerusform>
            <numerusform>%n inputs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n output(s)</source>
        <translation>
            <numerusform>%n output</numerusform>
            <numerusform>%n outputs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::PointedCalls</name>
    <message numerus="yes">
        <source>Select %n operator(s) on the graph first</source>
        <translation>
            <numerusform>Select %n operator on the graph first</numerusform>
            <numerusform>Select %n operators on the graph first</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::PredictionView</name>
    <message numerus="yes">
        <source>%1 of %n region(s) right.</source>
        <translation>
            <numerusform>%1 of %n region right.</numerusform>
            <numerusform>%1 of %n regions right.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::RulesDiffDialog</name>
    <message numerus="yes">
        <source>, in %n blocks</source>
        <translation>
            <numerusform>, in %n block</numerusform>
            <numerusform>, in %n blocks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n other file(s) can&apos;t be compared</source>
        <translation>
            <numerusform>and %n other file can't be compared</numerusform>
            <numerusform>and %n other files can't be compared</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::RulesOfDivision</name>
    <message numerus="yes">
        <source>%n operator(s) can&apos;t be told from others that were not taken, and stay away: %1</source>
        <translation>
            <numerusform>%n operator can&apos;t be told from others that were not taken, and stays away: %1</numerusform>
            <numerusform>%n operators can&apos;t be told from others that were not taken, and stay away: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::RulesPanel</name>
    <message numerus="yes">
        <source>%n gained</source>
        <translation>
            <numerusform>%n gained</numerusform>
            <numerusform>%n gained</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lost</source>
        <translation>
            <numerusform>%n lost</numerusform>
            <numerusform>%n lost</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n moved</source>
        <translation>
            <numerusform>%n moved</numerusform>
            <numerusform>%n moved</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n fault(s); the last valid rules stay.</source>
        <translation>
            <numerusform>%n fault; the last valid rules stay.</numerusform>
            <numerusform>%n faults; the last valid rules stay.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n call(s) refused at this line</source>
        <translation>
            <numerusform>%n call refused at this line</numerusform>
            <numerusform>%n calls refused at this line</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, and %n more: see Problems</source>
        <translation>
            <numerusform>%1, and %n more: see Problems</numerusform>
            <numerusform>%1, and %n more: see Problems</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::RunDifferenceModel</name>
    <message numerus="yes">
        <source>%1 and %n other(s)</source>
        <translation>
            <numerusform>%1 and %n other</numerusform>
            <numerusform>%1 and %n others</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::SearchBar</name>
    <message numerus="yes">
        <source>%n hit(s)</source>
        <translation>
            <numerusform>%n hit</numerusform>
            <numerusform>%n hits</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::StatusLine</name>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n call</numerusform>
            <numerusform>%n calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n region(s)</source>
        <translation>
            <numerusform>%n region</numerusform>
            <numerusform>%n regions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>%n selected</numerusform>
            <numerusform>%n selected</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::StepsModel</name>
    <message numerus="yes">
        <source>In each of %n block(s): %1</source>
        <translation>
            <numerusform>In the block: %1</numerusform>
            <numerusform>In each of %n blocks: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>In %1 of %n block(s): %2</source>
        <translation>
            <numerusform>In %1 of one block: %2</numerusform>
            <numerusform>In %1 of %n blocks: %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::StepsPanel</name>
    <message numerus="yes">
        <source>%n decision(s). Play them, or choose one.</source>
        <translation>
            <numerusform>%n decision. Play it, or choose it.</numerusform>
            <numerusform>%n decisions. Play them, or choose one.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::TimingAlikeView</name>
    <message numerus="yes">
        <source>%1, %n region(s) alike</source>
        <translation>
            <numerusform>%1, %n region</numerusform>
            <numerusform>%1, %n regions alike</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::TimingHistory</name>
    <message numerus="yes">
        <source>%1. %2 on %3, %n thread(s): %4</source>
        <translation>
            <numerusform>%1. %2 on %3, %n thread: %4</numerusform>
            <numerusform>%1. %2 on %3, %n threads: %4</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::TimingInvitation</name>
    <message numerus="yes">
        <source>Compare %n kept run(s)</source>
        <translation>
            <numerusform>Compare %n kept run</numerusform>
            <numerusform>Compare %n kept runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::TimingMemoryView</name>
    <message numerus="yes">
        <source>%n value(s) kept</source>
        <translation>
            <numerusform>%n value kept</numerusform>
            <numerusform>%n values kept</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::TimingModel</name>
    <message numerus="yes">
        <source>%n shorter operator(s)</source>
        <translation>
            <numerusform>%n shorter operator</numerusform>
            <numerusform>%n shorter operators</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::TimingPanel</name>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n thread</numerusform>
            <numerusform>%n threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>all %n region(s) equal</source>
        <translation>
            <numerusform>the %n region is equal</numerusform>
            <numerusform>all %n regions equal</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&lt;b&gt;%1&lt;/b&gt; mean of %n run(s) of %2</source>
        <translation>
            <numerusform>&lt;b&gt;%1&lt;/b&gt; mean of %n run of %2</numerusform>
            <numerusform>&lt;b&gt;%1&lt;/b&gt; mean of %n runs of %2</numerusform>
        </translation>
    </message>
</context>
</TS>
