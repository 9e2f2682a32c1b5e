<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name>Operators</name>
    <message>
        <source>An operator of another program that Partita does not know; it goes by the name that op_type gives.</source>
        <translation>Ein Operator eines anderen Programms, den Partita nicht kennt; er heißt, wie op_type sagt.</translation>
    </message>
    <message>
        <source>Begins a region for a backend: stands before an operand.</source>
        <translation>Beginnt eine Region für ein Backend: steht vor einem Operanden.</translation>
    </message>
    <message>
        <source>Ends a region of a backend: stands after a result.</source>
        <translation>Beendet eine Region eines Backends: steht hinter einem Ergebnis.</translation>
    </message>
    <message>
        <source>Keeps an expression from being fused with what follows it.</source>
        <translation>Verhindert, dass ein Ausdruck mit dem fusioniert wird, was ihm folgt.</translation>
    </message>
    <message>
        <source>Marks a value that quantization may cast to a data type.</source>
        <translation>Markiert einen Wert, den die Quantisierung in einen Datentyp umwandeln darf.</translation>
    </message>
    <message>
        <source>Marks where bit packing begins.</source>
        <translation>Markiert, wo das Packen von Bits beginnt.</translation>
    </message>
    <message>
        <source>Marks where bit packing ends.</source>
        <translation>Markiert, wo das Packen von Bits endet.</translation>
    </message>
    <message>
        <source>Marks a value that is computed again rather than kept.</source>
        <translation>Markiert einen Wert, der neu berechnet statt aufbewahrt wird.</translation>
    </message>
    <message>
        <source>Natural logarithm of each element.</source>
        <translation>Natürlicher Logarithmus jedes Elements.</translation>
    </message>
    <message>
        <source>Logarithm to base 2 of each element.</source>
        <translation>Logarithmus zur Basis 2 jedes Elements.</translation>
    </message>
    <message>
        <source>Logarithm to base 10 of each element.</source>
        <translation>Logarithmus zur Basis 10 jedes Elements.</translation>
    </message>
    <message>
        <source>e to the power of each element.</source>
        <translation>e hoch jedes Element.</translation>
    </message>
    <message>
        <source>e to the power of each element, where a small error is allowed.</source>
        <translation>e hoch jedes Element, wobei ein kleiner Fehler erlaubt ist.</translation>
    </message>
    <message>
        <source>Square root of each element.</source>
        <translation>Quadratwurzel jedes Elements.</translation>
    </message>
    <message>
        <source>One divided by the square root of each element.</source>
        <translation>Eins durch die Quadratwurzel jedes Elements.</translation>
    </message>
    <message>
        <source>Error function of each element.</source>
        <translation>Fehlerfunktion jedes Elements.</translation>
    </message>
    <message>
        <source>Error function of each element, where a small error is allowed.</source>
        <translation>Fehlerfunktion jedes Elements, wobei ein kleiner Fehler erlaubt ist.</translation>
    </message>
    <message>
        <source>1 / (1 + exp(-x)) of each element.</source>
        <translation>1 / (1 + exp(-x)) jedes Elements.</translation>
    </message>
    <message>
        <source>Hyperbolic tangent of each element.</source>
        <translation>Tangens hyperbolicus jedes Elements.</translation>
    </message>
    <message>
        <source>Hyperbolic tangent of each element, where a small error is allowed.</source>
        <translation>Tangens hyperbolicus jedes Elements, wobei ein kleiner Fehler erlaubt ist.</translation>
    </message>
    <message>
        <source>Sine of each element.</source>
        <translation>Sinus jedes Elements.</translation>
    </message>
    <message>
        <source>Cosine of each element.</source>
        <translation>Kosinus jedes Elements.</translation>
    </message>
    <message>
        <source>Tangent of each element.</source>
        <translation>Tangens jedes Elements.</translation>
    </message>
    <message>
        <source>Arc sine of each element.</source>
        <translation>Arkussinus jedes Elements.</translation>
    </message>
    <message>
        <source>Arc cosine of each element.</source>
        <translation>Arkuskosinus jedes Elements.</translation>
    </message>
    <message>
        <source>Arc tangent of each element.</source>
        <translation>Arkustangens jedes Elements.</translation>
    </message>
    <message>
        <source>Hyperbolic sine of each element.</source>
        <translation>Sinus hyperbolicus jedes Elements.</translation>
    </message>
    <message>
        <source>Hyperbolic cosine of each element.</source>
        <translation>Kosinus hyperbolicus jedes Elements.</translation>
    </message>
    <message>
        <source>Inverse hyperbolic sine of each element.</source>
        <translation>Areasinus hyperbolicus jedes Elements.</translation>
    </message>
    <message>
        <source>Inverse hyperbolic cosine of each element.</source>
        <translation>Areakosinus hyperbolicus jedes Elements.</translation>
    </message>
    <message>
        <source>Inverse hyperbolic tangent of each element.</source>
        <translation>Areatangens hyperbolicus jedes Elements.</translation>
    </message>
    <message>
        <source>Largest integer that is not above each element.</source>
        <translation>Größte ganze Zahl, die nicht über dem jeweiligen Element liegt.</translation>
    </message>
    <message>
        <source>Smallest integer that is not below each element.</source>
        <translation>Kleinste ganze Zahl, die nicht unter dem jeweiligen Element liegt.</translation>
    </message>
    <message>
        <source>Each element without its fraction.</source>
        <translation>Jedes Element ohne seinen Nachkommateil.</translation>
    </message>
    <message>
        <source>Nearest integer of each element, halves away from zero.</source>
        <translation>Nächste ganze Zahl zu jedem Element, Halbe von null weg.</translation>
    </message>
    <message>
        <source>-1, 0 or 1 by the sign of each element.</source>
        <translation>-1, 0 oder 1 je nach Vorzeichen jedes Elements.</translation>
    </message>
    <message>
        <source>Absolute value of each element.</source>
        <translation>Betrag jedes Elements.</translation>
    </message>
    <message>
        <source>Each element with the other sign.</source>
        <translation>Jedes Element mit umgekehrtem Vorzeichen.</translation>
    </message>
    <message>
        <source>Whether each element is zero.</source>
        <translation>Ob das jeweilige Element null ist.</translation>
    </message>
    <message>
        <source>Each element with all bits turned over.</source>
        <translation>Jedes Element mit allen Bits umgekehrt.</translation>
    </message>
    <message>
        <source>The same tensor in memory of its own.</source>
        <translation>Derselbe Tensor in eigenem Speicher.</translation>
    </message>
    <message>
        <source>Zeros in the shape and type of a tensor.</source>
        <translation>Nullen in Form und Typ eines Tensors.</translation>
    </message>
    <message>
        <source>Ones in the shape and type of a tensor.</source>
        <translation>Einsen in Form und Typ eines Tensors.</translation>
    </message>
    <message>
        <source>Whether each element is not a number.</source>
        <translation>Ob das jeweilige Element keine Zahl (NaN) ist.</translation>
    </message>
    <message>
        <source>Whether each element is neither infinite nor NaN.</source>
        <translation>Ob das jeweilige Element weder unendlich noch NaN ist.</translation>
    </message>
    <message>
        <source>Whether each element is infinite.</source>
        <translation>Ob das jeweilige Element unendlich ist.</translation>
    </message>
    <message>
        <source>Sum of two tensors.</source>
        <translation>Summe zweier Tensoren.</translation>
    </message>
    <message>
        <source>Difference of two tensors.</source>
        <translation>Differenz zweier Tensoren.</translation>
    </message>
    <message>
        <source>Product of two tensors.</source>
        <translation>Produkt zweier Tensoren.</translation>
    </message>
    <message>
        <source>Quotient of two tensors; of integers, toward zero.</source>
        <translation>Quotient zweier Tensoren; bei ganzen Zahlen zur Null hin gerundet.</translation>
    </message>
    <message>
        <source>Quotient of two tensors, rounded toward zero.</source>
        <translation>Quotient zweier Tensoren, zur Null hin gerundet.</translation>
    </message>
    <message>
        <source>Quotient of two tensors, rounded down.</source>
        <translation>Quotient zweier Tensoren, abgerundet.</translation>
    </message>
    <message>
        <source>Remainder of a division toward zero.</source>
        <translation>Rest einer Division, die zur Null hin rundet.</translation>
    </message>
    <message>
        <source>Remainder of a division that is rounded toward zero.</source>
        <translation>Rest einer Division, deren Quotient zur Null hin gerundet wird.</translation>
    </message>
    <message>
        <source>Remainder of a division that is rounded down.</source>
        <translation>Rest einer Division, deren Quotient abgerundet wird.</translation>
    </message>
    <message>
        <source>First tensor to the power of the second.</source>
        <translation>Erster Tensor hoch den zweiten.</translation>
    </message>
    <message>
        <source>Larger of two elements.</source>
        <translation>Das größere zweier Elemente.</translation>
    </message>
    <message>
        <source>Smaller of two elements.</source>
        <translation>Das kleinere zweier Elemente.</translation>
    </message>
    <message>
        <source>Whether both elements are not zero.</source>
        <translation>Ob beide Elemente ungleich null sind.</translation>
    </message>
    <message>
        <source>Whether one of two elements is not zero.</source>
        <translation>Ob eines von zwei Elementen ungleich null ist.</translation>
    </message>
    <message>
        <source>Whether exactly one of two elements is not zero.</source>
        <translation>Ob genau eines von zwei Elementen ungleich null ist.</translation>
    </message>
    <message>
        <source>Bits that are set in both elements.</source>
        <translation>Bits, die in beiden Elementen gesetzt sind.</translation>
    </message>
    <message>
        <source>Bits that are set in one element or both.</source>
        <translation>Bits, die in mindestens einem der Elemente gesetzt sind.</translation>
    </message>
    <message>
        <source>Bits that are set in exactly one element.</source>
        <translation>Bits, die in genau einem der Elemente gesetzt sind.</translation>
    </message>
    <message>
        <source>Bits of the first element, moved up by the second.</source>
        <translation>Bits des ersten Elements, um das zweite nach links verschoben.</translation>
    </message>
    <message>
        <source>Bits of the first element, moved down by the second; the sign is kept.</source>
        <translation>Bits des ersten Elements, um das zweite nach rechts verschoben; das Vorzeichen bleibt.</translation>
    </message>
    <message>
        <source>Whether two elements are equal.</source>
        <translation>Ob zwei Elemente gleich sind.</translation>
    </message>
    <message>
        <source>Whether two elements differ.</source>
        <translation>Ob zwei Elemente verschieden sind.</translation>
    </message>
    <message>
        <source>Whether the first element is below the second.</source>
        <translation>Ob das erste Element kleiner als das zweite ist.</translation>
    </message>
    <message>
        <source>Whether the first element is not above the second.</source>
        <translation>Ob das erste Element nicht größer als das zweite ist.</translation>
    </message>
    <message>
        <source>Whether the first element is above the second.</source>
        <translation>Ob das erste Element größer als das zweite ist.</translation>
    </message>
    <message>
        <source>Whether the first element is not below the second.</source>
        <translation>Ob das erste Element nicht kleiner als das zweite ist.</translation>
    </message>
    <message>
        <source>Each element, but not below a_min and not above a_max.</source>
        <translation>Jedes Element, aber nicht unter a_min und nicht über a_max.</translation>
    </message>
    <message>
        <source>The same numbers in another data type.</source>
        <translation>Dieselben Zahlen in einem anderen Datentyp.</translation>
    </message>
    <message>
        <source>The same numbers in the data type of another tensor.</source>
        <translation>Dieselben Zahlen im Datentyp eines anderen Tensors.</translation>
    </message>
    <message>
        <source>Elements of x where the condition is not zero, of y where it is.</source>
        <translation>Elemente von x, wo die Bedingung ungleich null ist, sonst von y.</translation>
    </message>
    <message>
        <source>Integers times multiplier / 2^31 * 2^shift, rounded half up.</source>
        <translation>Ganze Zahlen mal multiplier / 2^31 * 2^shift, Halbe nach oben gerundet.</translation>
    </message>
    <message>
        <source>Sum over axes.</source>
        <translation>Summe über Achsen.</translation>
    </message>
    <message>
        <source>Mean over axes.</source>
        <translation>Mittelwert über Achsen.</translation>
    </message>
    <message>
        <source>Product over axes.</source>
        <translation>Produkt über Achsen.</translation>
    </message>
    <message>
        <source>Largest element over axes.</source>
        <translation>Größtes Element über Achsen.</translation>
    </message>
    <message>
        <source>Smallest element over axes.</source>
        <translation>Kleinstes Element über Achsen.</translation>
    </message>
    <message>
        <source>Whether all elements are true.</source>
        <translation>Ob alle Elemente wahr sind.</translation>
    </message>
    <message>
        <source>Whether one element or more is true.</source>
        <translation>Ob mindestens ein Element wahr ist.</translation>
    </message>
    <message>
        <source>Index of the largest element over axes.</source>
        <translation>Index des größten Elements über Achsen.</translation>
    </message>
    <message>
        <source>Index of the smallest element over axes.</source>
        <translation>Index des kleinsten Elements über Achsen.</translation>
    </message>
    <message>
        <source>Mean of the squared distances from a mean.</source>
        <translation>Mittelwert der quadrierten Abstände von einem Mittelwert.</translation>
    </message>
    <message>
        <source>Sums over the axes along which another tensor would be broadcast.</source>
        <translation>Summiert über die Achsen, entlang derer ein anderer Tensor verbreitert würde (Broadcasting).</translation>
    </message>
    <message>
        <source>The same elements in another shape.</source>
        <translation>Dieselben Elemente in einer anderen Form.</translation>
    </message>
    <message>
        <source>As reshape, but the special numbers are read from the right.</source>
        <translation>Wie reshape, aber die besonderen Zahlen werden von rechts gelesen.</translation>
    </message>
    <message>
        <source>The same elements in the shape of another tensor, or in a part of it.</source>
        <translation>Dieselben Elemente in der Form eines anderen Tensors oder einem Teil davon.</translation>
    </message>
    <message>
        <source>New dimensions of 1 at an axis.</source>
        <translation>Neue Dimensionen der Größe 1 an einer Achse.</translation>
    </message>
    <message>
        <source>Leaves out dimensions of 1: those given, or all.</source>
        <translation>Lässt Dimensionen der Größe 1 weg: die genannten oder alle.</translation>
    </message>
    <message>
        <source>The same bits read as another data type.</source>
        <translation>Dieselben Bits, als anderer Datentyp gelesen.</translation>
    </message>
    <message>
        <source>The dimensions in another order.</source>
        <translation>Die Dimensionen in anderer Reihenfolge.</translation>
    </message>
    <message>
        <source>The tensor repeated along dimensions of 1 up to a shape.</source>
        <translation>Der Tensor, entlang von Dimensionen der Größe 1 bis zu einer Form wiederholt.</translation>
    </message>
    <message>
        <source>The tensor repeated up to the shape of another.</source>
        <translation>Der Tensor, bis zur Form eines anderen wiederholt.</translation>
    </message>
    <message>
        <source>Each slice along an axis several times in a row.</source>
        <translation>Jede Scheibe entlang einer Achse mehrmals hintereinander.</translation>
    </message>
    <message>
        <source>The whole tensor several times along each axis.</source>
        <translation>Der ganze Tensor mehrmals entlang jeder Achse.</translation>
    </message>
    <message>
        <source>The order along an axis turned round.</source>
        <translation>Die Reihenfolge entlang einer Achse umgekehrt.</translation>
    </message>
    <message>
        <source>A grid from vectors: for each, its element at every point.</source>
        <translation>Ein Gitter aus Vektoren: für jeden sein Element an jedem Punkt.</translation>
    </message>
    <message>
        <source>The tensor in another layout, such as NCHW16c.</source>
        <translation>Der Tensor in einem anderen Layout, etwa NCHW16c.</translation>
    </message>
    <message>
        <source>Tensors one after the other along an axis.</source>
        <translation>Tensoren hintereinander entlang einer Achse.</translation>
    </message>
    <message>
        <source>Tensors of one shape along a new axis.</source>
        <translation>Tensoren gleicher Form entlang einer neuen Achse.</translation>
    </message>
    <message>
        <source>A tuple of parts along an axis.</source>
        <translation>Ein Tupel aus Teilen entlang einer Achse.</translation>
    </message>
    <message>
        <source>Every n-th element between two places along axes.</source>
        <translation>Jedes n-te Element zwischen zwei Stellen entlang von Achsen.</translation>
    </message>
    <message>
        <source>The first part of a tensor, as large as another tensor.</source>
        <translation>Der erste Teil eines Tensors, so groß wie ein anderer Tensor.</translation>
    </message>
    <message>
        <source>A tensor of zeros.</source>
        <translation>Ein Tensor aus Nullen.</translation>
    </message>
    <message>
        <source>A tensor of ones.</source>
        <translation>Ein Tensor aus Einsen.</translation>
    </message>
    <message>
        <source>One value in a shape.</source>
        <translation>Ein Wert in einer Form.</translation>
    </message>
    <message>
        <source>One value in the shape and type of a tensor.</source>
        <translation>Ein Wert in Form und Typ eines Tensors.</translation>
    </message>
    <message>
        <source>Numbers from start to before stop.</source>
        <translation>Zahlen von start bis vor stop.</translation>
    </message>
    <message>
        <source>For each index a vector that has one value there and another elsewhere.</source>
        <translation>Zu jedem Index ein Vektor, der dort den einen und sonst den anderen Wert hat.</translation>
    </message>
    <message>
        <source>The tensor&apos;s shape as a tensor.</source>
        <translation>Die Form des Tensors als Tensor.</translation>
    </message>
    <message>
        <source>The number of the tensor&apos;s elements.</source>
        <translation>Die Anzahl der Elemente des Tensors.</translation>
    </message>
    <message>
        <source>What lies beyond each sequence&apos;s length set to a value.</source>
        <translation>Was hinter der Länge jeder Sequenz liegt, auf einen Wert gesetzt.</translation>
    </message>
    <message>
        <source>The upper or lower triangle of matrices, zeros elsewhere.</source>
        <translation>Das obere oder untere Dreieck von Matrizen, sonst Nullen.</translation>
    </message>
    <message>
        <source>Slices along an axis, chosen by a tensor of indices.</source>
        <translation>Scheiben entlang einer Achse, durch einen Tensor von Indizes gewählt.</translation>
    </message>
    <message>
        <source>Elements along an axis, one index for each element of the result.</source>
        <translation>Elemente entlang einer Achse, ein Index für jedes Element des Ergebnisses.</translation>
    </message>
    <message>
        <source>Slices, each named by a tuple of indices.</source>
        <translation>Scheiben, jede durch ein Tupel von Indizes benannt.</translation>
    </message>
    <message>
        <source>Slices chosen by tensors of indices that are broadcast to each other.</source>
        <translation>Scheiben, durch Indextensoren gewählt, die aneinander angepasst werden (Broadcasting).</translation>
    </message>
    <message>
        <source>Elements along an axis set at places that indices give.</source>
        <translation>Elemente entlang einer Achse, an den von Indizes genannten Stellen gesetzt.</translation>
    </message>
    <message>
        <source>Elements along an axis added to at places that indices give.</source>
        <translation>Elemente entlang einer Achse, an den von Indizes genannten Stellen um Werte erhöht.</translation>
    </message>
    <message>
        <source>Slices, each named by a tuple of indices, set, added to, multiplied, or kept where smaller or larger.</source>
        <translation>Scheiben, jede durch ein Tupel von Indizes benannt, gesetzt, erhöht, multipliziert oder auf das Kleinere oder Größere gebracht.</translation>
    </message>
    <message>
        <source>Elements in order along an axis.</source>
        <translation>Elemente entlang einer Achse sortiert.</translation>
    </message>
    <message>
        <source>Where the elements in order along an axis stand.</source>
        <translation>Wo die entlang einer Achse sortierten Elemente stehen.</translation>
    </message>
    <message>
        <source>The largest or smallest elements along an axis, and where they stand.</source>
        <translation>Die größten oder kleinsten Elemente entlang einer Achse und wo sie stehen.</translation>
    </message>
    <message>
        <source>Sums of all elements up to each one along an axis.</source>
        <translation>Summen aller Elemente bis zum jeweiligen entlang einer Achse.</translation>
    </message>
    <message>
        <source>Products of all elements up to each one along an axis.</source>
        <translation>Produkte aller Elemente bis zum jeweiligen entlang einer Achse.</translation>
    </message>
    <message>
        <source>The first part of each sequence turned round, as long as its length.</source>
        <translation>Der erste Teil jeder Sequenz, so lang wie angegeben, umgekehrt.</translation>
    </message>
    <message>
        <source>The coordinates that flat indices stand for in a shape.</source>
        <translation>Die Koordinaten, für die flache Indizes in einer Form stehen.</translation>
    </message>
    <message>
        <source>Convolution over 1 spatial axis.</source>
        <translation>Faltung über 1 räumliche Achse.</translation>
    </message>
    <message>
        <source>Convolution over 2 spatial axes.</source>
        <translation>Faltung über 2 räumliche Achsen.</translation>
    </message>
    <message>
        <source>Convolution over 3 spatial axes.</source>
        <translation>Faltung über 3 räumliche Achsen.</translation>
    </message>
    <message>
        <source>Transposed convolution over 1 spatial axis.</source>
        <translation>Transponierte Faltung über 1 räumliche Achse.</translation>
    </message>
    <message>
        <source>Transposed convolution over 2 spatial axes.</source>
        <translation>Transponierte Faltung über 2 räumliche Achsen.</translation>
    </message>
    <message>
        <source>Transposed convolution over 3 spatial axes.</source>
        <translation>Transponierte Faltung über 3 räumliche Achsen.</translation>
    </message>
    <message>
        <source>Fully connected layer: the data times the transposed weight.</source>
        <translation>Vollständig verbundene Schicht: die Daten mal das transponierte Gewicht.</translation>
    </message>
    <message>
        <source>Matrix product; either operand may be transposed.</source>
        <translation>Matrixprodukt; jeder Operand kann transponiert sein.</translation>
    </message>
    <message>
        <source>Matrix products of a batch; either operand may be transposed, a batch of 1 is repeated.</source>
        <translation>Matrixprodukte eines Batches; jeder Operand kann transponiert sein, ein Batch von 1 wird wiederholt.</translation>
    </message>
    <message>
        <source>Maximum of windows over 1 spatial axis.</source>
        <translation>Maximum von Fenstern über 1 räumliche Achse.</translation>
    </message>
    <message>
        <source>Maximum of windows over 2 spatial axes.</source>
        <translation>Maximum von Fenstern über 2 räumliche Achsen.</translation>
    </message>
    <message>
        <source>Maximum of windows over 3 spatial axes.</source>
        <translation>Maximum von Fenstern über 3 räumliche Achsen.</translation>
    </message>
    <message>
        <source>Mean of windows over 1 spatial axis.</source>
        <translation>Mittelwert von Fenstern über 1 räumliche Achse.</translation>
    </message>
    <message>
        <source>Mean of windows over 2 spatial axes.</source>
        <translation>Mittelwert von Fenstern über 2 räumliche Achsen.</translation>
    </message>
    <message>
        <source>Mean of windows over 3 spatial axes.</source>
        <translation>Mittelwert von Fenstern über 3 räumliche Achsen.</translation>
    </message>
    <message>
        <source>Maximum of each channel.</source>
        <translation>Maximum jedes Kanals.</translation>
    </message>
    <message>
        <source>Mean of each channel.</source>
        <translation>Mittelwert jedes Kanals.</translation>
    </message>
    <message>
        <source>Maximum of as many windows as the result has elements, over 1 spatial axis.</source>
        <translation>Maximum so vieler Fenster, wie das Ergebnis Elemente hat, über 1 räumliche Achse.</translation>
    </message>
    <message>
        <source>Maximum of as many windows as the result has elements, over 2 spatial axes.</source>
        <translation>Maximum so vieler Fenster, wie das Ergebnis Elemente hat, über 2 räumliche Achsen.</translation>
    </message>
    <message>
        <source>Maximum of as many windows as the result has elements, over 3 spatial axes.</source>
        <translation>Maximum so vieler Fenster, wie das Ergebnis Elemente hat, über 3 räumliche Achsen.</translation>
    </message>
    <message>
        <source>Mean of as many windows as the result has elements, over 1 spatial axis.</source>
        <translation>Mittelwert so vieler Fenster, wie das Ergebnis Elemente hat, über 1 räumliche Achse.</translation>
    </message>
    <message>
        <source>Mean of as many windows as the result has elements, over 2 spatial axes.</source>
        <translation>Mittelwert so vieler Fenster, wie das Ergebnis Elemente hat, über 2 räumliche Achsen.</translation>
    </message>
    <message>
        <source>Mean of as many windows as the result has elements, over 3 spatial axes.</source>
        <translation>Mittelwert so vieler Fenster, wie das Ergebnis Elemente hat, über 3 räumliche Achsen.</translation>
    </message>
    <message>
        <source>Normalisation by given means and variances; a tuple of result, mean and variance.</source>
        <translation>Normalisierung mit gegebenen Mittelwerten und Varianzen; ein Tupel aus Ergebnis, Mittelwert und Varianz.</translation>
    </message>
    <message>
        <source>Normalisation over one axis.</source>
        <translation>Normalisierung über eine Achse.</translation>
    </message>
    <message>
        <source>Division by the root of the mean square along one axis, times gamma.</source>
        <translation>Teilt durch die Wurzel des mittleren Quadrats entlang einer Achse, mal gamma.</translation>
    </message>
    <message>
        <source>added to the mean square</source>
        <translation>wird zum mittleren Quadrat addiert</translation>
    </message>
    <message>
        <source>Each row times the transposed weights of the experts that were chosen for it.</source>
        <translation>Jede Zeile mal den transponierten Gewichten der Experten, die für sie gewählt wurden.</translation>
    </message>
    <message>
        <source>Attention that keeps its keys and values as one matrix for each head; a tuple of result and matrices.</source>
        <translation>Attention, die ihre Schlüssel und Werte als eine Matrix für jeden Kopf hält; ein Tupel aus Ergebnis und Matrizen.</translation>
    </message>
    <message>
        <source>factor of the result; 0: 1 / sqrt(size)</source>
        <translation>Faktor des Ergebnisses; 0: 1 / sqrt(size)</translation>
    </message>
    <message>
        <source>whether what the state has for the key already is subtracted from the value</source>
        <translation>ob vom Wert abgezogen wird, was der Zustand für den Schlüssel schon hat</translation>
    </message>
    <message>
        <source>Turns pairs of elements of each row by the angles of its place.</source>
        <translation>Dreht Paare von Elementen jeder Zeile um die Winkel ihres Platzes.</translation>
    </message>
    <message>
        <source>whether a pair is two neighbours, and not one of each half</source>
        <translation>ob ein Paar zwei Nachbarn sind, und nicht eines aus jeder Hälfte</translation>
    </message>
    <message>
        <source>The determinant of each matrix.</source>
        <translation>Die Determinante jeder Matrix.</translation>
    </message>
    <message>
        <source>The inverse of each matrix.</source>
        <translation>Die Inverse jeder Matrix.</translation>
    </message>
    <message>
        <source>Normalisation of each channel of each example.</source>
        <translation>Normalisierung jedes Kanals jedes Beispiels.</translation>
    </message>
    <message>
        <source>Normalisation over groups of channels.</source>
        <translation>Normalisierung über Gruppen von Kanälen.</translation>
    </message>
    <message>
        <source>Exponentials divided by their sum along an axis.</source>
        <translation>Exponentialwerte, durch ihre Summe entlang einer Achse geteilt.</translation>
    </message>
    <message>
        <source>Softmax whose exponential may be approximate.</source>
        <translation>Softmax, dessen Exponentialfunktion eine Näherung sein darf.</translation>
    </message>
    <message>
        <source>Logarithm of softmax.</source>
        <translation>Logarithmus von Softmax.</translation>
    </message>
    <message>
        <source>Local response normalisation: divides by the strength of neighbouring channels.</source>
        <translation>Lokale Antwortnormalisierung (LRN): teilt durch die Stärke benachbarter Kanäle.</translation>
    </message>
    <message>
        <source>Divides by the Euclidean norm over some axes.</source>
        <translation>Teilt durch die euklidische Norm über einige Achsen.</translation>
    </message>
    <message>
        <source>Drops elements in training; a tuple of the data and a mask, for inference the data and ones.</source>
        <translation>Lässt beim Training Elemente weg; ein Tupel aus den Daten und einer Maske, bei der Inferenz aus den Daten und Einsen.</translation>
    </message>
    <message>
        <source>The larger of the data and zero.</source>
        <translation>Das Größere aus Daten und null.</translation>
    </message>
    <message>
        <source>The data where positive, else alpha times it.</source>
        <translation>Die Daten, wo sie positiv sind, sonst alpha mal die Daten.</translation>
    </message>
    <message>
        <source>The data where positive, else its channel&apos;s slope times it.</source>
        <translation>Die Daten, wo sie positiv sind, sonst mal die Steigung ihres Kanals.</translation>
    </message>
    <message>
        <source>Adds a vector along one axis.</source>
        <translation>Addiert einen Vektor entlang einer Achse.</translation>
    </message>
    <message>
        <source>Joins all axes but the first.</source>
        <translation>Fasst alle Achsen außer der ersten zusammen.</translation>
    </message>
    <message>
        <source>Mean cross entropy of probabilities.</source>
        <translation>Mittlere Kreuzentropie von Wahrscheinlichkeiten.</translation>
    </message>
    <message>
        <source>Mean cross entropy of logarithms of probabilities.</source>
        <translation>Mittlere Kreuzentropie von Logarithmen von Wahrscheinlichkeiten.</translation>
    </message>
    <message>
        <source>Puts a border round the data.</source>
        <translation>Legt einen Rand um die Daten.</translation>
    </message>
    <message>
        <source>Puts a mirrored border round the data.</source>
        <translation>Legt einen gespiegelten Rand um die Daten.</translation>
    </message>
    <message>
        <source>Spreads channels over blocks of the image.</source>
        <translation>Verteilt Kanäle auf Blöcke des Bildes.</translation>
    </message>
    <message>
        <source>Gathers blocks of the image in channels.</source>
        <translation>Sammelt Blöcke des Bildes in Kanälen.</translation>
    </message>
    <message>
        <source>Gathers blocks of the spatial axes in the batch.</source>
        <translation>Sammelt Blöcke der räumlichen Achsen im Batch.</translation>
    </message>
    <message>
        <source>Spreads the batch over blocks of the spatial axes.</source>
        <translation>Verteilt den Batch auf Blöcke der räumlichen Achsen.</translation>
    </message>
    <message>
        <source>Puts a value between neighbouring elements.</source>
        <translation>Setzt einen Wert zwischen benachbarte Elemente.</translation>
    </message>
    <message>
        <source>Enlarges an image.</source>
        <translation>Vergrößert ein Bild.</translation>
    </message>
    <message>
        <source>Enlarges a volume.</source>
        <translation>Vergrößert ein Volumen.</translation>
    </message>
    <message>
        <source>Real numbers as quantized ones.</source>
        <translation>Reelle Zahlen als quantisierte.</translation>
    </message>
    <message>
        <source>Quantized numbers as real ones.</source>
        <translation>Quantisierte Zahlen als reelle.</translation>
    </message>
    <message>
        <source>Quantized numbers in another scale.</source>
        <translation>Quantisierte Zahlen in anderer Skalierung.</translation>
    </message>
    <message>
        <source>Sum of two quantized tensors.</source>
        <translation>Summe zweier quantisierter Tensoren.</translation>
    </message>
    <message>
        <source>Difference of two quantized tensors.</source>
        <translation>Differenz zweier quantisierter Tensoren.</translation>
    </message>
    <message>
        <source>Product of two quantized tensors.</source>
        <translation>Produkt zweier quantisierter Tensoren.</translation>
    </message>
    <message>
        <source>Quantized tensors one after the other, in one scale.</source>
        <translation>Quantisierte Tensoren hintereinander, in einer Skalierung.</translation>
    </message>
    <message>
        <source>Convolution of quantized images.</source>
        <translation>Faltung quantisierter Bilder.</translation>
    </message>
    <message>
        <source>Product of a quantized matrix and the transpose of another.</source>
        <translation>Produkt einer quantisierten Matrix und der Transponierten einer anderen.</translation>
    </message>
    <message>
        <source>Rows of elements in another length.</source>
        <translation>Reihen von Elementen in anderer Länge.</translation>
    </message>
    <message>
        <source>Images in another size.</source>
        <translation>Bilder in anderer Größe.</translation>
    </message>
    <message>
        <source>Volumes in another size.</source>
        <translation>Volumen in anderer Größe.</translation>
    </message>
    <message>
        <source>Regions of images, each sampled on a grid of bins.</source>
        <translation>Bereiche von Bildern, jeder auf einem Raster von Zellen abgetastet.</translation>
    </message>
    <message>
        <source>the operator&apos;s name where it comes from</source>
        <translation>der Name des Operators dort, wo er herkommt</translation>
    </message>
    <message>
        <source>the operator set that it belongs to</source>
        <translation>der Operatorsatz, zu dem er gehört</translation>
    </message>
    <message>
        <source>the version of that operator set</source>
        <translation>die Version dieses Operatorsatzes</translation>
    </message>
    <message>
        <source>places of inputs that it may have and has not</source>
        <translation>Stellen von Eingaben, die er haben kann und nicht hat</translation>
    </message>
    <message>
        <source>its attributes there: names and values</source>
        <translation>seine Attribute dort: Namen und Werte</translation>
    </message>
    <message>
        <source>functions of the module that it runs: what each is to it (then, else, body), and the function&apos;s name</source>
        <translation>Funktionen des Moduls, die er ausführt: was jede für ihn ist (then, else, body), und ihr Name</translation>
    </message>
    <message>
        <source>how many of its last inputs only its bodies use</source>
        <translation>wie viele seiner letzten Eingaben nur seine Rümpfe benutzen</translation>
    </message>
    <message>
        <source>the shape of each result; -1 is unknown</source>
        <translation>die Form jedes Ergebnisses; -1 ist unbekannt</translation>
    </message>
    <message>
        <source>the element type of each result</source>
        <translation>der Elementtyp jedes Ergebnisses</translation>
    </message>
    <message>
        <source>the backend&apos;s name</source>
        <translation>der Name des Backends</translation>
    </message>
    <message>
        <source>the type that the value would be cast to</source>
        <translation>der Typ, in den der Wert umgewandelt würde</translation>
    </message>
    <message>
        <source>the least value of the result</source>
        <translation>der kleinste Wert des Ergebnisses</translation>
    </message>
    <message>
        <source>the greatest value of the result</source>
        <translation>der größte Wert des Ergebnisses</translation>
    </message>
    <message>
        <source>the result&apos;s data type</source>
        <translation>der Datentyp des Ergebnisses</translation>
    </message>
    <message>
        <source>the factor in units of 2^-31</source>
        <translation>der Faktor in Einheiten von 2^-31</translation>
    </message>
    <message>
        <source>the power of two that the product is multiplied by</source>
        <translation>der Exponent der Zweierpotenz, mit der das Produkt multipliziert wird</translation>
    </message>
    <message>
        <source>the axes that are reduced; None: all</source>
        <translation>die Achsen, über die reduziert wird; None: alle</translation>
    </message>
    <message>
        <source>reduced axes stay as dimensions of 1</source>
        <translation>reduzierte Achsen bleiben als Dimensionen der Größe 1</translation>
    </message>
    <message>
        <source>the axes that are not given are reduced</source>
        <translation>reduziert wird über die Achsen, die nicht genannt sind</translation>
    </message>
    <message>
        <source>of equal elements the last counts, else the first</source>
        <translation>von gleichen Elementen zählt das letzte, sonst das erste</translation>
    </message>
    <message>
        <source>divides by one less than the number of elements</source>
        <translation>teilt durch eins weniger als die Anzahl der Elemente</translation>
    </message>
    <message>
        <source>the result&apos;s shape; 0, -1 to -4 are special</source>
        <translation>die Form des Ergebnisses; 0 und -1 bis -4 haben besondere Bedeutung</translation>
    </message>
    <message>
        <source>0 is a dimension of zero, not a copied one</source>
        <translation>0 ist eine Dimension der Größe null, keine übernommene</translation>
    </message>
    <message>
        <source>where the new dimensions stand</source>
        <translation>wo die neuen Dimensionen stehen</translation>
    </message>
    <message>
        <source>how many they are</source>
        <translation>wie viele es sind</translation>
    </message>
    <message>
        <source>the dimensions to leave out; None: all of 1</source>
        <translation>die Dimensionen, die wegfallen; None: alle der Größe 1</translation>
    </message>
    <message>
        <source>the type that the bits are read as</source>
        <translation>der Typ, als der die Bits gelesen werden</translation>
    </message>
    <message>
        <source>the operand&apos;s axis for each axis of the result; None turns the order round</source>
        <translation>für jede Achse des Ergebnisses die Achse des Operanden; None kehrt die Reihenfolge um</translation>
    </message>
    <message>
        <source>the result&apos;s shape</source>
        <translation>die Form des Ergebnisses</translation>
    </message>
    <message>
        <source>how often each slice stands</source>
        <translation>wie oft jede Scheibe vorkommt</translation>
    </message>
    <message>
        <source>the axis</source>
        <translation>die Achse</translation>
    </message>
    <message>
        <source>how often along each axis</source>
        <translation>wie oft entlang jeder Achse</translation>
    </message>
    <message>
        <source>the axis; None is 0</source>
        <translation>die Achse; None ist 0</translation>
    </message>
    <message>
        <source>&quot;ij&quot;, or &quot;xy&quot;, which swaps the first two dimensions</source>
        <translation>„ij“ oder „xy“, das die ersten zwei Dimensionen vertauscht</translation>
    </message>
    <message>
        <source>the operand&apos;s layout</source>
        <translation>das Layout des Operanden</translation>
    </message>
    <message>
        <source>the result&apos;s layout</source>
        <translation>das Layout des Ergebnisses</translation>
    </message>
    <message>
        <source>the axis along which the tensors follow each other</source>
        <translation>die Achse, entlang derer die Tensoren aufeinander folgen</translation>
    </message>
    <message>
        <source>where the new axis stands</source>
        <translation>wo die neue Achse steht</translation>
    </message>
    <message>
        <source>how many equal parts, or a list of where each but the first begins</source>
        <translation>wie viele gleiche Teile oder eine Liste, wo jeder außer dem ersten beginnt</translation>
    </message>
    <message>
        <source>the axis that is cut</source>
        <translation>die Achse, die geteilt wird</translation>
    </message>
    <message>
        <source>the first index along each axis</source>
        <translation>der erste Index entlang jeder Achse</translation>
    </message>
    <message>
        <source>the index before which to stop, or the size</source>
        <translation>der Index, vor dem geendet wird, oder die Größe</translation>
    </message>
    <message>
        <source>the step; negative goes backwards</source>
        <translation>die Schrittweite; negativ geht rückwärts</translation>
    </message>
    <message>
        <source>&quot;end&quot;, or &quot;size&quot; where `end` holds sizes</source>
        <translation>„end“ oder „size“, wenn `end` Größen enthält</translation>
    </message>
    <message>
        <source>the axes that are meant; None: the first ones</source>
        <translation>die gemeinten Achsen; None: die ersten</translation>
    </message>
    <message>
        <source>the axes that are cut; None: all</source>
        <translation>die Achsen, die gekürzt werden; None: alle</translation>
    </message>
    <message>
        <source>the result&apos;s data type; default: the value&apos;s</source>
        <translation>der Datentyp des Ergebnisses; Vorgabe: der des Werts</translation>
    </message>
    <message>
        <source>the first number, where it is known</source>
        <translation>die erste Zahl, wenn sie bekannt ist</translation>
    </message>
    <message>
        <source>the end, where it is known</source>
        <translation>das Ende, wenn es bekannt ist</translation>
    </message>
    <message>
        <source>the step, where it is known</source>
        <translation>die Schrittweite, wenn sie bekannt ist</translation>
    </message>
    <message>
        <source>the vectors&apos; length</source>
        <translation>die Länge der Vektoren</translation>
    </message>
    <message>
        <source>where the vectors&apos; axis stands; -1: last</source>
        <translation>wo die Achse der Vektoren steht; -1: zuletzt</translation>
    </message>
    <message>
        <source>the result&apos;s data type; default: int32</source>
        <translation>der Datentyp des Ergebnisses; Vorgabe: int32</translation>
    </message>
    <message>
        <source>the value</source>
        <translation>der Wert</translation>
    </message>
    <message>
        <source>the axis of time: 0 or 1</source>
        <translation>die Zeitachse: 0 oder 1</translation>
    </message>
    <message>
        <source>the upper triangle, else the lower</source>
        <translation>das obere Dreieck, sonst das untere</translation>
    </message>
    <message>
        <source>leading dimensions that data and indices share</source>
        <translation>führende Dimensionen, die Daten und Indizes gemeinsam haben</translation>
    </message>
    <message>
        <source>the axis; None takes from the flat data</source>
        <translation>die Achse; None nimmt aus den flachen Daten</translation>
    </message>
    <message>
        <source>what becomes of indices out of range: clip, wrap or fast</source>
        <translation>was aus Indizes außerhalb des Bereichs wird: clip, wrap oder fast</translation>
    </message>
    <message>
        <source>the size of a tuple where the indices&apos; shape is unknown</source>
        <translation>die Größe eines Tupels, wenn die Form der Indizes unbekannt ist</translation>
    </message>
    <message>
        <source>the axis that the indices mean</source>
        <translation>die Achse, die die Indizes meinen</translation>
    </message>
    <message>
        <source>update, add, mul, min or max</source>
        <translation>update, add, mul, min oder max</translation>
    </message>
    <message>
        <source>smallest first</source>
        <translation>das Kleinste zuerst</translation>
    </message>
    <message>
        <source>the type of indices; default: int32</source>
        <translation>der Typ der Indizes; Vorgabe: int32</translation>
    </message>
    <message>
        <source>how many; below 1: all</source>
        <translation>wie viele; unter 1: alle</translation>
    </message>
    <message>
        <source>both, values or indices</source>
        <translation>both, values oder indices</translation>
    </message>
    <message>
        <source>the smallest</source>
        <translation>die kleinsten</translation>
    </message>
    <message>
        <source>the axis; None: over the flat data</source>
        <translation>die Achse; None: über die flachen Daten</translation>
    </message>
    <message>
        <source>the result&apos;s data type; default: the data&apos;s</source>
        <translation>der Datentyp des Ergebnisses; Vorgabe: der der Daten</translation>
    </message>
    <message>
        <source>each element counts only those before it</source>
        <translation>für jedes Element zählen nur die davor</translation>
    </message>
    <message>
        <source>the axis of the sequences</source>
        <translation>die Achse der Sequenzen</translation>
    </message>
    <message>
        <source>the axis of the lengths</source>
        <translation>die Achse der Längen</translation>
    </message>
    <message>
        <source>how far the window moves, for each spatial axis</source>
        <translation>wie weit das Fenster rückt, für jede räumliche Achse</translation>
    </message>
    <message>
        <source>zeros around the data: one value, one for each axis, or one for each side</source>
        <translation>Nullen um die Daten: ein Wert, einer für jede Achse oder einer für jede Seite</translation>
    </message>
    <message>
        <source>distance of the kernel&apos;s elements, for each spatial axis</source>
        <translation>Abstand der Elemente des Kernels, für jede räumliche Achse</translation>
    </message>
    <message>
        <source>into how many separate groups the channels are divided</source>
        <translation>in wie viele getrennte Gruppen die Kanäle geteilt sind</translation>
    </message>
    <message>
        <source>number of output channels; None: as the weight has them</source>
        <translation>Anzahl der Ausgabekanäle; None: wie im Gewicht</translation>
    </message>
    <message>
        <source>extents of the kernel; None: as the weight has them</source>
        <translation>Ausmaße des Kernels; None: wie im Gewicht</translation>
    </message>
    <message>
        <source>order of the data&apos;s dimensions</source>
        <translation>Reihenfolge der Dimensionen der Daten</translation>
    </message>
    <message>
        <source>order of the weight&apos;s dimensions</source>
        <translation>Reihenfolge der Dimensionen des Gewichts</translation>
    </message>
    <message>
        <source>order of the result&apos;s dimensions; empty: as data_layout</source>
        <translation>Reihenfolge der Dimensionen des Ergebnisses; leer: wie data_layout</translation>
    </message>
    <message>
        <source>the result&apos;s type; empty: the data&apos;s</source>
        <translation>der Typ des Ergebnisses; leer: der der Daten</translation>
    </message>
    <message>
        <source>elements added at the end of each axis</source>
        <translation>Elemente, die am Ende jeder Achse dazukommen</translation>
    </message>
    <message>
        <source>what is cut off the result at each side</source>
        <translation>was an jeder Seite vom Ergebnis abgeschnitten wird</translation>
    </message>
    <message>
        <source>number of output features; None: as the weight has them</source>
        <translation>Anzahl der Ausgabemerkmale; None: wie im Gewicht</translation>
    </message>
    <message>
        <source>transpose the first operand</source>
        <translation>den ersten Operanden transponieren</translation>
    </message>
    <message>
        <source>transpose the second operand</source>
        <translation>den zweiten Operanden transponieren</translation>
    </message>
    <message>
        <source>extents of the window</source>
        <translation>Ausmaße des Fensters</translation>
    </message>
    <message>
        <source>how far the window moves</source>
        <translation>wie weit das Fenster rückt</translation>
    </message>
    <message>
        <source>distance of the window&apos;s elements</source>
        <translation>Abstand der Elemente des Fensters</translation>
    </message>
    <message>
        <source>padding: one value, one for each axis or each side</source>
        <translation>Auffüllung: ein Wert, einer für jede Achse oder jede Seite</translation>
    </message>
    <message>
        <source>order of the result&apos;s dimensions; empty: as layout</source>
        <translation>Reihenfolge der Dimensionen des Ergebnisses; leer: wie layout</translation>
    </message>
    <message>
        <source>whether a last, incomplete window counts</source>
        <translation>ob ein letztes, unvollständiges Fenster zählt</translation>
    </message>
    <message>
        <source>whether padding counts in the divisor</source>
        <translation>ob die Auffüllung im Divisor zählt</translation>
    </message>
    <message>
        <source>extents of the result; empty: as the data</source>
        <translation>Ausmaße des Ergebnisses; leer: wie die Daten</translation>
    </message>
    <message>
        <source>the channels&apos; axis</source>
        <translation>die Achse der Kanäle</translation>
    </message>
    <message>
        <source>added to the variance</source>
        <translation>wird zur Varianz addiert</translation>
    </message>
    <message>
        <source>whether beta is added</source>
        <translation>ob beta addiert wird</translation>
    </message>
    <message>
        <source>whether gamma is a factor</source>
        <translation>ob gamma ein Faktor ist</translation>
    </message>
    <message>
        <source>into how many groups the channels are divided</source>
        <translation>in wie viele Gruppen die Kanäle geteilt sind</translation>
    </message>
    <message>
        <source>the axis that sums to one</source>
        <translation>die Achse, deren Summe eins ist</translation>
    </message>
    <message>
        <source>how many neighbours count</source>
        <translation>wie viele Nachbarn zählen</translation>
    </message>
    <message>
        <source>added to the sum</source>
        <translation>wird zur Summe addiert</translation>
    </message>
    <message>
        <source>factor of the sum</source>
        <translation>Faktor der Summe</translation>
    </message>
    <message>
        <source>exponent</source>
        <translation>Exponent</translation>
    </message>
    <message>
        <source>smallest sum of squares</source>
        <translation>kleinste Quadratsumme</translation>
    </message>
    <message>
        <source>the axes of the norm</source>
        <translation>die Achsen der Norm</translation>
    </message>
    <message>
        <source>how likely an element is dropped</source>
        <translation>mit welcher Wahrscheinlichkeit ein Element wegfällt</translation>
    </message>
    <message>
        <source>slope of the negative part</source>
        <translation>Steigung des negativen Teils</translation>
    </message>
    <message>
        <source>the axis that the vector runs along</source>
        <translation>die Achse, entlang derer der Vektor verläuft</translation>
    </message>
    <message>
        <source>for each axis, how many elements before and after</source>
        <translation>für jede Achse, wie viele Elemente davor und dahinter</translation>
    </message>
    <message>
        <source>constant, edge or reflect</source>
        <translation>constant, edge oder reflect</translation>
    </message>
    <message>
        <source>SYMMETRIC repeats the edge, REFLECT does not</source>
        <translation>SYMMETRIC wiederholt die Kante, REFLECT nicht</translation>
    </message>
    <message>
        <source>edge of a block</source>
        <translation>Kantenlänge eines Blocks</translation>
    </message>
    <message>
        <source>DCR: blocks first, CDR: channels first</source>
        <translation>DCR: Blöcke zuerst, CDR: Kanäle zuerst</translation>
    </message>
    <message>
        <source>extents of a block</source>
        <translation>Ausmaße eines Blocks</translation>
    </message>
    <message>
        <source>what the padding is filled with</source>
        <translation>womit aufgefüllt wird</translation>
    </message>
    <message>
        <source>for each axis, how many elements are cut off before and after</source>
        <translation>für jede Achse, wie viele Elemente davor und dahinter abgeschnitten werden</translation>
    </message>
    <message>
        <source>distance of neighbours in the result</source>
        <translation>Abstand der Nachbarn im Ergebnis</translation>
    </message>
    <message>
        <source>what is put between</source>
        <translation>was dazwischen gesetzt wird</translation>
    </message>
    <message>
        <source>factor of the height</source>
        <translation>Faktor der Höhe</translation>
    </message>
    <message>
        <source>factor of the width</source>
        <translation>Faktor der Breite</translation>
    </message>
    <message>
        <source>nearest_neighbor, bilinear or bicubic</source>
        <translation>nearest_neighbor, bilinear oder bicubic</translation>
    </message>
    <message>
        <source>whether the corners of data and result coincide</source>
        <translation>ob die Ecken von Daten und Ergebnis zusammenfallen</translation>
    </message>
    <message>
        <source>factor of the depth</source>
        <translation>Faktor der Tiefe</translation>
    </message>
    <message>
        <source>nearest_neighbor or trilinear</source>
        <translation>nearest_neighbor oder trilinear</translation>
    </message>
    <message>
        <source>half_pixel, align_corners or asymmetric</source>
        <translation>half_pixel, align_corners oder asymmetric</translation>
    </message>
    <message>
        <source>the axis along which scales and zero points vary</source>
        <translation>die Achse, entlang derer Skalen und Nullpunkte verschieden sind</translation>
    </message>
    <message>
        <source>&quot;UPWARD&quot;, &quot;TONEAREST&quot; or &quot;TOEVEN&quot;</source>
        <translation>„UPWARD“, „TONEAREST“ oder „TOEVEN“</translation>
    </message>
    <message>
        <source>&quot;int64&quot;, &quot;float32&quot; or &quot;float64&quot;</source>
        <translation>„int64“, „float32“ oder „float64“</translation>
    </message>
    <message>
        <source>the result&apos;s size along the spatial axes</source>
        <translation>die Größe des Ergebnisses entlang der räumlichen Achsen</translation>
    </message>
    <message>
        <source>where tf_crop_and_resize begins and ends along each axis</source>
        <translation>wo tf_crop_and_resize entlang jeder Achse beginnt und endet</translation>
    </message>
    <message>
        <source>the data&apos;s layout</source>
        <translation>das Layout der Daten</translation>
    </message>
    <message>
        <source>nearest_neighbor, linear or cubic</source>
        <translation>nearest_neighbor, linear oder cubic</translation>
    </message>
    <message>
        <source>how coordinates are mapped back</source>
        <translation>wie Koordinaten zurückgerechnet werden</translation>
    </message>
    <message>
        <source>for nearest_neighbor: round, floor, ceil, ...</source>
        <translation>für nearest_neighbor: round, floor, ceil, ...</translation>
    </message>
    <message>
        <source>the coefficient of the cubic spline</source>
        <translation>der Koeffizient des kubischen Splines</translation>
    </message>
    <message>
        <source>weights outside the image are left out</source>
        <translation>Gewichte außerhalb des Bildes bleiben weg</translation>
    </message>
    <message>
        <source>the value outside the region</source>
        <translation>der Wert außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>rows and columns of bins</source>
        <translation>Zeilen und Spalten der Zellen</translation>
    </message>
    <message>
        <source>what the corners are multiplied by</source>
        <translation>womit die Ecken multipliziert werden</translation>
    </message>
    <message>
        <source>samples along each side of a bin; not positive: as many as it is large</source>
        <translation>Abtastpunkte entlang jeder Seite einer Zelle; nicht positiv: so viele, wie sie groß ist</translation>
    </message>
    <message>
        <source>avg or max of the samples; max_part, as ONNX: the largest share of one element</source>
        <translation>avg oder max der Abtastwerte; max_part, wie ONNX: der größte Anteil eines Elements</translation>
    </message>
    <message>
        <source>corners lie half a pixel before those given; a region may be smaller than a pixel</source>
        <translation>Ecken liegen einen halben Pixel vor den angegebenen; ein Bereich darf kleiner als ein Pixel sein</translation>
    </message>
    <message>
        <source>Attention of several heads: the values of the keys, each by its share in the softmax of the row&apos;s scores.</source>
        <translation>Attention mehrerer Köpfe: die Werte der Schlüssel, jeder mit seinem Anteil am Softmax der Zeile.</translation>
    </message>
    <message>
        <source>factor of the products of rows and keys; 0: 1 / sqrt(size)</source>
        <translation>Faktor der Produkte von Zeilen und Schlüsseln; 0: 1 / sqrt(Größe)</translation>
    </message>
    <message>
        <source>a score x becomes softcap * tanh(x / softcap); 0: it stays</source>
        <translation>aus einem Wert x wird softcap * tanh(x / softcap); 0: er bleibt</translation>
    </message>
    <message>
        <source>whether a row sees no key behind its own</source>
        <translation>ob eine Zeile keinen Schlüssel hinter ihrem eigenen sieht</translation>
    </message>
    <message>
        <source>the number of keys before that of the first row</source>
        <translation>die Zahl der Schlüssel vor dem der ersten Zeile</translation>
    </message>
</context>
</TS>
