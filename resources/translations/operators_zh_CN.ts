<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Operators</name>
    <message>
        <source>An operator of another program that Partita does not know; it goes by the name that op_type gives.</source>
        <translation>Partita 不认识的其他程序的算子；以 op_type 给出的名称称呼它。</translation>
    </message>
    <message>
        <source>Begins a region for a backend: stands before an operand.</source>
        <translation>开始一个后端的区域：位于操作数之前。</translation>
    </message>
    <message>
        <source>Ends a region of a backend: stands after a result.</source>
        <translation>结束一个后端的区域：位于结果之后。</translation>
    </message>
    <message>
        <source>Keeps an expression from being fused with what follows it.</source>
        <translation>阻止表达式与其后的内容融合。</translation>
    </message>
    <message>
        <source>Marks a value that quantization may cast to a data type.</source>
        <translation>标记量化时可以转换为某数据类型的值。</translation>
    </message>
    <message>
        <source>Marks where bit packing begins.</source>
        <translation>标记位打包的开始处。</translation>
    </message>
    <message>
        <source>Marks where bit packing ends.</source>
        <translation>标记位打包的结束处。</translation>
    </message>
    <message>
        <source>Marks a value that is computed again rather than kept.</source>
        <translation>标记一个重新计算而不保留的值。</translation>
    </message>
    <message>
        <source>Natural logarithm of each element.</source>
        <translation>每个元素的自然对数。</translation>
    </message>
    <message>
        <source>Logarithm to base 2 of each element.</source>
        <translation>每个元素以 2 为底的对数。</translation>
    </message>
    <message>
        <source>Logarithm to base 10 of each element.</source>
        <translation>每个元素以 10 为底的对数。</translation>
    </message>
    <message>
        <source>e to the power of each element.</source>
        <translation>e 的每个元素次幂。</translation>
    </message>
    <message>
        <source>e to the power of each element, where a small error is allowed.</source>
        <translation>e 的每个元素次幂，允许有小误差。</translation>
    </message>
    <message>
        <source>Square root of each element.</source>
        <translation>每个元素的平方根。</translation>
    </message>
    <message>
        <source>One divided by the square root of each element.</source>
        <translation>每个元素平方根的倒数。</translation>
    </message>
    <message>
        <source>Error function of each element.</source>
        <translation>每个元素的误差函数。</translation>
    </message>
    <message>
        <source>Error function of each element, where a small error is allowed.</source>
        <translation>每个元素的误差函数，允许有小误差。</translation>
    </message>
    <message>
        <source>1 / (1 + exp(-x)) of each element.</source>
        <translation>每个元素的 1 / (1 + exp(-x))。</translation>
    </message>
    <message>
        <source>Hyperbolic tangent of each element.</source>
        <translation>每个元素的双曲正切。</translation>
    </message>
    <message>
        <source>Hyperbolic tangent of each element, where a small error is allowed.</source>
        <translation>每个元素的双曲正切，允许有小误差。</translation>
    </message>
    <message>
        <source>Sine of each element.</source>
        <translation>每个元素的正弦。</translation>
    </message>
    <message>
        <source>Cosine of each element.</source>
        <translation>每个元素的余弦。</translation>
    </message>
    <message>
        <source>Tangent of each element.</source>
        <translation>每个元素的正切。</translation>
    </message>
    <message>
        <source>Arc sine of each element.</source>
        <translation>每个元素的反正弦。</translation>
    </message>
    <message>
        <source>Arc cosine of each element.</source>
        <translation>每个元素的反余弦。</translation>
    </message>
    <message>
        <source>Arc tangent of each element.</source>
        <translation>每个元素的反正切。</translation>
    </message>
    <message>
        <source>Hyperbolic sine of each element.</source>
        <translation>每个元素的双曲正弦。</translation>
    </message>
    <message>
        <source>Hyperbolic cosine of each element.</source>
        <translation>每个元素的双曲余弦。</translation>
    </message>
    <message>
        <source>Inverse hyperbolic sine of each element.</source>
        <translation>每个元素的反双曲正弦。</translation>
    </message>
    <message>
        <source>Inverse hyperbolic cosine of each element.</source>
        <translation>每个元素的反双曲余弦。</translation>
    </message>
    <message>
        <source>Inverse hyperbolic tangent of each element.</source>
        <translation>每个元素的反双曲正切。</translation>
    </message>
    <message>
        <source>Largest integer that is not above each element.</source>
        <translation>不大于每个元素的最大整数。</translation>
    </message>
    <message>
        <source>Smallest integer that is not below each element.</source>
        <translation>不小于每个元素的最小整数。</translation>
    </message>
    <message>
        <source>Each element without its fraction.</source>
        <translation>去掉小数部分的每个元素。</translation>
    </message>
    <message>
        <source>Nearest integer of each element, halves away from zero.</source>
        <translation>与每个元素最接近的整数，半数向远离零的方向取整。</translation>
    </message>
    <message>
        <source>-1, 0 or 1 by the sign of each element.</source>
        <translation>按每个元素的符号取 -1、0 或 1。</translation>
    </message>
    <message>
        <source>Absolute value of each element.</source>
        <translation>每个元素的绝对值。</translation>
    </message>
    <message>
        <source>Each element with the other sign.</source>
        <translation>每个元素取相反数。</translation>
    </message>
    <message>
        <source>Whether each element is zero.</source>
        <translation>每个元素是否为零。</translation>
    </message>
    <message>
        <source>Each element with all bits turned over.</source>
        <translation>每个元素按位取反。</translation>
    </message>
    <message>
        <source>The same tensor in memory of its own.</source>
        <translation>同一张量，存放在自己的内存中。</translation>
    </message>
    <message>
        <source>Zeros in the shape and type of a tensor.</source>
        <translation>形状和类型与张量相同的零。</translation>
    </message>
    <message>
        <source>Ones in the shape and type of a tensor.</source>
        <translation>形状和类型与张量相同的一。</translation>
    </message>
    <message>
        <source>Whether each element is not a number.</source>
        <translation>每个元素是否为非数（NaN）。</translation>
    </message>
    <message>
        <source>Whether each element is neither infinite nor NaN.</source>
        <translation>每个元素是否既非无穷也非 NaN。</translation>
    </message>
    <message>
        <source>Whether each element is infinite.</source>
        <translation>每个元素是否为无穷。</translation>
    </message>
    <message>
        <source>Sum of two tensors.</source>
        <translation>两个张量之和。</translation>
    </message>
    <message>
        <source>Difference of two tensors.</source>
        <translation>两个张量之差。</translation>
    </message>
    <message>
        <source>Product of two tensors.</source>
        <translation>两个张量之积。</translation>
    </message>
    <message>
        <source>Quotient of two tensors; of integers, toward zero.</source>
        <translation>两个张量之商；整数向零取整。</translation>
    </message>
    <message>
        <source>Quotient of two tensors, rounded toward zero.</source>
        <translation>两个张量之商，向零取整。</translation>
    </message>
    <message>
        <source>Quotient of two tensors, rounded down.</source>
        <translation>两个张量之商，向下取整。</translation>
    </message>
    <message>
        <source>Remainder of a division toward zero.</source>
        <translation>向零取整除法的余数。</translation>
    </message>
    <message>
        <source>Remainder of a division that is rounded toward zero.</source>
        <translation>商向零取整时的余数。</translation>
    </message>
    <message>
        <source>Remainder of a division that is rounded down.</source>
        <translation>商向下取整时的余数。</translation>
    </message>
    <message>
        <source>First tensor to the power of the second.</source>
        <translation>第一个张量的第二个张量次幂。</translation>
    </message>
    <message>
        <source>Larger of two elements.</source>
        <translation>两个元素中较大者。</translation>
    </message>
    <message>
        <source>Smaller of two elements.</source>
        <translation>两个元素中较小者。</translation>
    </message>
    <message>
        <source>Whether both elements are not zero.</source>
        <translation>两个元素是否都不为零。</translation>
    </message>
    <message>
        <source>Whether one of two elements is not zero.</source>
        <translation>两个元素是否有一个不为零。</translation>
    </message>
    <message>
        <source>Whether exactly one of two elements is not zero.</source>
        <translation>两个元素是否恰有一个不为零。</translation>
    </message>
    <message>
        <source>Bits that are set in both elements.</source>
        <translation>两个元素中都置位的位。</translation>
    </message>
    <message>
        <source>Bits that are set in one element or both.</source>
        <translation>至少在一个元素中置位的位。</translation>
    </message>
    <message>
        <source>Bits that are set in exactly one element.</source>
        <translation>恰在一个元素中置位的位。</translation>
    </message>
    <message>
        <source>Bits of the first element, moved up by the second.</source>
        <translation>第一个元素的位，左移第二个元素所给的位数。</translation>
    </message>
    <message>
        <source>Bits of the first element, moved down by the second; the sign is kept.</source>
        <translation>第一个元素的位，右移第二个元素所给的位数；符号不变。</translation>
    </message>
    <message>
        <source>Whether two elements are equal.</source>
        <translation>两个元素是否相等。</translation>
    </message>
    <message>
        <source>Whether two elements differ.</source>
        <translation>两个元素是否不等。</translation>
    </message>
    <message>
        <source>Whether the first element is below the second.</source>
        <translation>第一个元素是否小于第二个。</translation>
    </message>
    <message>
        <source>Whether the first element is not above the second.</source>
        <translation>第一个元素是否不大于第二个。</translation>
    </message>
    <message>
        <source>Whether the first element is above the second.</source>
        <translation>第一个元素是否大于第二个。</translation>
    </message>
    <message>
        <source>Whether the first element is not below the second.</source>
        <translation>第一个元素是否不小于第二个。</translation>
    </message>
    <message>
        <source>Each element, but not below a_min and not above a_max.</source>
        <translation>每个元素，但不小于 a_min，也不大于 a_max。</translation>
    </message>
    <message>
        <source>The same numbers in another data type.</source>
        <translation>相同的数，另一种数据类型。</translation>
    </message>
    <message>
        <source>The same numbers in the data type of another tensor.</source>
        <translation>相同的数，采用另一张量的数据类型。</translation>
    </message>
    <message>
        <source>Elements of x where the condition is not zero, of y where it is.</source>
        <translation>条件不为零处取 x 的元素，为零处取 y 的元素。</translation>
    </message>
    <message>
        <source>Integers times multiplier / 2^31 * 2^shift, rounded half up.</source>
        <translation>整数乘以 multiplier / 2^31 * 2^shift，半数向上取整。</translation>
    </message>
    <message>
        <source>Sum over axes.</source>
        <translation>沿轴求和。</translation>
    </message>
    <message>
        <source>Mean over axes.</source>
        <translation>沿轴求平均值。</translation>
    </message>
    <message>
        <source>Product over axes.</source>
        <translation>沿轴求积。</translation>
    </message>
    <message>
        <source>Largest element over axes.</source>
        <translation>沿轴的最大元素。</translation>
    </message>
    <message>
        <source>Smallest element over axes.</source>
        <translation>沿轴的最小元素。</translation>
    </message>
    <message>
        <source>Whether all elements are true.</source>
        <translation>是否所有元素都为真。</translation>
    </message>
    <message>
        <source>Whether one element or more is true.</source>
        <translation>是否至少有一个元素为真。</translation>
    </message>
    <message>
        <source>Index of the largest element over axes.</source>
        <translation>沿轴最大元素的索引。</translation>
    </message>
    <message>
        <source>Index of the smallest element over axes.</source>
        <translation>沿轴最小元素的索引。</translation>
    </message>
    <message>
        <source>Mean of the squared distances from a mean.</source>
        <translation>与均值之差的平方的平均值。</translation>
    </message>
    <message>
        <source>Sums over the axes along which another tensor would be broadcast.</source>
        <translation>沿另一张量会被广播的轴求和。</translation>
    </message>
    <message>
        <source>The same elements in another shape.</source>
        <translation>相同的元素，另一种形状。</translation>
    </message>
    <message>
        <source>As reshape, but the special numbers are read from the right.</source>
        <translation>同 reshape，但特殊数字从右边读起。</translation>
    </message>
    <message>
        <source>The same elements in the shape of another tensor, or in a part of it.</source>
        <translation>相同的元素，采用另一张量的形状或其一部分。</translation>
    </message>
    <message>
        <source>New dimensions of 1 at an axis.</source>
        <translation>在某个轴处加入大小为 1 的新维度。</translation>
    </message>
    <message>
        <source>Leaves out dimensions of 1: those given, or all.</source>
        <translation>去掉大小为 1 的维度：给定的或全部。</translation>
    </message>
    <message>
        <source>The same bits read as another data type.</source>
        <translation>相同的位，按另一种数据类型解读。</translation>
    </message>
    <message>
        <source>The dimensions in another order.</source>
        <translation>维度换一种顺序。</translation>
    </message>
    <message>
        <source>The tensor repeated along dimensions of 1 up to a shape.</source>
        <translation>沿大小为 1 的维度重复张量，直到给定的形状。</translation>
    </message>
    <message>
        <source>The tensor repeated up to the shape of another.</source>
        <translation>重复张量，直到另一张量的形状。</translation>
    </message>
    <message>
        <source>Each slice along an axis several times in a row.</source>
        <translation>沿轴的每个切片连续重复多次。</translation>
    </message>
    <message>
        <source>The whole tensor several times along each axis.</source>
        <translation>整个张量沿每个轴重复多次。</translation>
    </message>
    <message>
        <source>The order along an axis turned round.</source>
        <translation>沿轴反转顺序。</translation>
    </message>
    <message>
        <source>A grid from vectors: for each, its element at every point.</source>
        <translation>由向量组成的网格：给出每个向量在每个点上的元素。</translation>
    </message>
    <message>
        <source>The tensor in another layout, such as NCHW16c.</source>
        <translation>张量采用另一种布局，例如 NCHW16c。</translation>
    </message>
    <message>
        <source>Tensors one after the other along an axis.</source>
        <translation>张量沿轴依次拼接。</translation>
    </message>
    <message>
        <source>Tensors of one shape along a new axis.</source>
        <translation>形状相同的张量沿新轴堆叠。</translation>
    </message>
    <message>
        <source>A tuple of parts along an axis.</source>
        <translation>沿轴切分所得各部分的元组。</translation>
    </message>
    <message>
        <source>Every n-th element between two places along axes.</source>
        <translation>沿轴在两个位置之间每隔 n 个取一个元素。</translation>
    </message>
    <message>
        <source>The first part of a tensor, as large as another tensor.</source>
        <translation>张量的起始部分，与另一张量一样大。</translation>
    </message>
    <message>
        <source>A tensor of zeros.</source>
        <translation>全零张量。</translation>
    </message>
    <message>
        <source>A tensor of ones.</source>
        <translation>全一张量。</translation>
    </message>
    <message>
        <source>One value in a shape.</source>
        <translation>给定形状，填充同一个值。</translation>
    </message>
    <message>
        <source>One value in the shape and type of a tensor.</source>
        <translation>按张量的形状和类型填充同一个值。</translation>
    </message>
    <message>
        <source>Numbers from start to before stop.</source>
        <translation>从 start 到 stop（不含）的数。</translation>
    </message>
    <message>
        <source>For each index a vector that has one value there and another elsewhere.</source>
        <translation>每个索引对应一个向量，在该处为一个值，其余为另一个值。</translation>
    </message>
    <message>
        <source>The tensor&apos;s shape as a tensor.</source>
        <translation>以张量表示的张量形状。</translation>
    </message>
    <message>
        <source>The number of the tensor&apos;s elements.</source>
        <translation>张量的元素个数。</translation>
    </message>
    <message>
        <source>What lies beyond each sequence&apos;s length set to a value.</source>
        <translation>把每个序列长度之外的部分设为某个值。</translation>
    </message>
    <message>
        <source>The upper or lower triangle of matrices, zeros elsewhere.</source>
        <translation>矩阵的上三角或下三角，其余为零。</translation>
    </message>
    <message>
        <source>Slices along an axis, chosen by a tensor of indices.</source>
        <translation>沿轴按索引张量选取切片。</translation>
    </message>
    <message>
        <source>Elements along an axis, one index for each element of the result.</source>
        <translation>沿轴取元素，结果的每个元素对应一个索引。</translation>
    </message>
    <message>
        <source>Slices, each named by a tuple of indices.</source>
        <translation>切片，每个由一个索引元组指定。</translation>
    </message>
    <message>
        <source>Slices chosen by tensors of indices that are broadcast to each other.</source>
        <translation>由相互广播的索引张量选取的切片。</translation>
    </message>
    <message>
        <source>Elements along an axis set at places that indices give.</source>
        <translation>沿轴在索引给出的位置设置元素。</translation>
    </message>
    <message>
        <source>Elements along an axis added to at places that indices give.</source>
        <translation>沿轴在索引给出的位置累加元素。</translation>
    </message>
    <message>
        <source>Slices, each named by a tuple of indices, set, added to, multiplied, or kept where smaller or larger.</source>
        <translation>由索引元组指定的切片，可设置、累加、相乘，或取较小、较大者。</translation>
    </message>
    <message>
        <source>Elements in order along an axis.</source>
        <translation>沿轴排序的元素。</translation>
    </message>
    <message>
        <source>Where the elements in order along an axis stand.</source>
        <translation>沿轴排序后各元素的原位置。</translation>
    </message>
    <message>
        <source>The largest or smallest elements along an axis, and where they stand.</source>
        <translation>沿轴最大或最小的若干元素及其位置。</translation>
    </message>
    <message>
        <source>Sums of all elements up to each one along an axis.</source>
        <translation>沿轴到每个元素为止的累加和。</translation>
    </message>
    <message>
        <source>Products of all elements up to each one along an axis.</source>
        <translation>沿轴到每个元素为止的累乘积。</translation>
    </message>
    <message>
        <source>The first part of each sequence turned round, as long as its length.</source>
        <translation>反转每个序列的起始部分，长度由其序列长度给出。</translation>
    </message>
    <message>
        <source>The coordinates that flat indices stand for in a shape.</source>
        <translation>扁平索引在给定形状中对应的坐标。</translation>
    </message>
    <message>
        <source>Convolution over 1 spatial axis.</source>
        <translation>沿 1 个空间轴的卷积。</translation>
    </message>
    <message>
        <source>Convolution over 2 spatial axes.</source>
        <translation>沿 2 个空间轴的卷积。</translation>
    </message>
    <message>
        <source>Convolution over 3 spatial axes.</source>
        <translation>沿 3 个空间轴的卷积。</translation>
    </message>
    <message>
        <source>Transposed convolution over 1 spatial axis.</source>
        <translation>沿 1 个空间轴的转置卷积。</translation>
    </message>
    <message>
        <source>Transposed convolution over 2 spatial axes.</source>
        <translation>沿 2 个空间轴的转置卷积。</translation>
    </message>
    <message>
        <source>Transposed convolution over 3 spatial axes.</source>
        <translation>沿 3 个空间轴的转置卷积。</translation>
    </message>
    <message>
        <source>Fully connected layer: the data times the transposed weight.</source>
        <translation>全连接层：数据乘以转置的权重。</translation>
    </message>
    <message>
        <source>Matrix product; either operand may be transposed.</source>
        <translation>矩阵乘积；任一操作数都可转置。</translation>
    </message>
    <message>
        <source>Matrix products of a batch; either operand may be transposed, a batch of 1 is repeated.</source>
        <translation>一批矩阵的乘积；任一操作数都可转置，大小为 1 的批会重复。</translation>
    </message>
    <message>
        <source>Maximum of windows over 1 spatial axis.</source>
        <translation>沿 1 个空间轴的窗口最大值。</translation>
    </message>
    <message>
        <source>Maximum of windows over 2 spatial axes.</source>
        <translation>沿 2 个空间轴的窗口最大值。</translation>
    </message>
    <message>
        <source>Maximum of windows over 3 spatial axes.</source>
        <translation>沿 3 个空间轴的窗口最大值。</translation>
    </message>
    <message>
        <source>Mean of windows over 1 spatial axis.</source>
        <translation>沿 1 个空间轴的窗口平均值。</translation>
    </message>
    <message>
        <source>Mean of windows over 2 spatial axes.</source>
        <translation>沿 2 个空间轴的窗口平均值。</translation>
    </message>
    <message>
        <source>Mean of windows over 3 spatial axes.</source>
        <translation>沿 3 个空间轴的窗口平均值。</translation>
    </message>
    <message>
        <source>Maximum of each channel.</source>
        <translation>每个通道的最大值。</translation>
    </message>
    <message>
        <source>Mean of each channel.</source>
        <translation>每个通道的平均值。</translation>
    </message>
    <message>
        <source>Maximum of as many windows as the result has elements, over 1 spatial axis.</source>
        <translation>沿 1 个空间轴的窗口最大值，窗口数等于结果的元素数。</translation>
    </message>
    <message>
        <source>Maximum of as many windows as the result has elements, over 2 spatial axes.</source>
        <translation>沿 2 个空间轴的窗口最大值，窗口数等于结果的元素数。</translation>
    </message>
    <message>
        <source>Maximum of as many windows as the result has elements, over 3 spatial axes.</source>
        <translation>沿 3 个空间轴的窗口最大值，窗口数等于结果的元素数。</translation>
    </message>
    <message>
        <source>Mean of as many windows as the result has elements, over 1 spatial axis.</source>
        <translation>沿 1 个空间轴的窗口平均值，窗口数等于结果的元素数。</translation>
    </message>
    <message>
        <source>Mean of as many windows as the result has elements, over 2 spatial axes.</source>
        <translation>沿 2 个空间轴的窗口平均值，窗口数等于结果的元素数。</translation>
    </message>
    <message>
        <source>Mean of as many windows as the result has elements, over 3 spatial axes.</source>
        <translation>沿 3 个空间轴的窗口平均值，窗口数等于结果的元素数。</translation>
    </message>
    <message>
        <source>Normalisation by given means and variances; a tuple of result, mean and variance.</source>
        <translation>用给定的均值和方差归一化；结果为由结果、均值和方差组成的元组。</translation>
    </message>
    <message>
        <source>Normalisation over one axis.</source>
        <translation>沿一个轴归一化。</translation>
    </message>
    <message>
        <source>Division by the root of the mean square along one axis, times gamma.</source>
        <translation>沿一个轴除以均方根，再乘以 gamma。</translation>
    </message>
    <message>
        <source>added to the mean square</source>
        <translation>加到均方上的数</translation>
    </message>
    <message>
        <source>Each row times the transposed weights of the experts that were chosen for it.</source>
        <translation>每一行乘以为它所选专家的转置权重。</translation>
    </message>
    <message>
        <source>Attention that keeps its keys and values as one matrix for each head; a tuple of result and matrices.</source>
        <translation>每个头把键和值保存为一个矩阵的注意力；结果和矩阵组成的元组。</translation>
    </message>
    <message>
        <source>factor of the result; 0: 1 / sqrt(size)</source>
        <translation>结果的系数；0：1 / sqrt(size)</translation>
    </message>
    <message>
        <source>whether what the state has for the key already is subtracted from the value</source>
        <translation>是否从值中减去状态对该键已有的内容</translation>
    </message>
    <message>
        <source>Turns pairs of elements of each row by the angles of its place.</source>
        <translation>把每一行的元素对按其位置的角度旋转。</translation>
    </message>
    <message>
        <source>whether a pair is two neighbours, and not one of each half</source>
        <translation>一对是否为两个相邻元素，而不是两半中各取一个</translation>
    </message>
    <message>
        <source>The determinant of each matrix.</source>
        <translation>每个矩阵的行列式。</translation>
    </message>
    <message>
        <source>The inverse of each matrix.</source>
        <translation>每个矩阵的逆矩阵。</translation>
    </message>
    <message>
        <source>Normalisation of each channel of each example.</source>
        <translation>对每个样本的每个通道归一化。</translation>
    </message>
    <message>
        <source>Normalisation over groups of channels.</source>
        <translation>对通道组归一化。</translation>
    </message>
    <message>
        <source>Exponentials divided by their sum along an axis.</source>
        <translation>沿轴的指数值除以其总和。</translation>
    </message>
    <message>
        <source>Softmax whose exponential may be approximate.</source>
        <translation>指数可以是近似值的 softmax。</translation>
    </message>
    <message>
        <source>Logarithm of softmax.</source>
        <translation>softmax 的对数。</translation>
    </message>
    <message>
        <source>Local response normalisation: divides by the strength of neighbouring channels.</source>
        <translation>局部响应归一化：除以相邻通道的强度。</translation>
    </message>
    <message>
        <source>Divides by the Euclidean norm over some axes.</source>
        <translation>除以沿若干轴的欧几里得范数。</translation>
    </message>
    <message>
        <source>Drops elements in training; a tuple of the data and a mask, for inference the data and ones.</source>
        <translation>训练时丢弃元素；结果为数据和掩码的元组，推理时为数据和全一。</translation>
    </message>
    <message>
        <source>The larger of the data and zero.</source>
        <translation>数据与零中较大者。</translation>
    </message>
    <message>
        <source>The data where positive, else alpha times it.</source>
        <translation>数据为正时取其本身，否则乘以 alpha。</translation>
    </message>
    <message>
        <source>The data where positive, else its channel&apos;s slope times it.</source>
        <translation>数据为正时取其本身，否则乘以其通道的斜率。</translation>
    </message>
    <message>
        <source>Adds a vector along one axis.</source>
        <translation>沿一个轴加上向量。</translation>
    </message>
    <message>
        <source>Joins all axes but the first.</source>
        <translation>合并除第一个轴外的所有轴。</translation>
    </message>
    <message>
        <source>Mean cross entropy of probabilities.</source>
        <translation>概率的平均交叉熵。</translation>
    </message>
    <message>
        <source>Mean cross entropy of logarithms of probabilities.</source>
        <translation>对数概率的平均交叉熵。</translation>
    </message>
    <message>
        <source>Puts a border round the data.</source>
        <translation>在数据四周加边。</translation>
    </message>
    <message>
        <source>Puts a mirrored border round the data.</source>
        <translation>在数据四周加镜像边。</translation>
    </message>
    <message>
        <source>Spreads channels over blocks of the image.</source>
        <translation>把通道分散到图像块中。</translation>
    </message>
    <message>
        <source>Gathers blocks of the image in channels.</source>
        <translation>把图像块收集到通道中。</translation>
    </message>
    <message>
        <source>Gathers blocks of the spatial axes in the batch.</source>
        <translation>把空间轴的块收集到批次中。</translation>
    </message>
    <message>
        <source>Spreads the batch over blocks of the spatial axes.</source>
        <translation>把批次分散到空间轴的块中。</translation>
    </message>
    <message>
        <source>Puts a value between neighbouring elements.</source>
        <translation>在相邻元素之间插入值。</translation>
    </message>
    <message>
        <source>Enlarges an image.</source>
        <translation>放大图像。</translation>
    </message>
    <message>
        <source>Enlarges a volume.</source>
        <translation>放大体数据。</translation>
    </message>
    <message>
        <source>Real numbers as quantized ones.</source>
        <translation>把实数量化。</translation>
    </message>
    <message>
        <source>Quantized numbers as real ones.</source>
        <translation>把量化数还原为实数。</translation>
    </message>
    <message>
        <source>Quantized numbers in another scale.</source>
        <translation>量化数换用另一种尺度。</translation>
    </message>
    <message>
        <source>Sum of two quantized tensors.</source>
        <translation>两个量化张量之和。</translation>
    </message>
    <message>
        <source>Difference of two quantized tensors.</source>
        <translation>两个量化张量之差。</translation>
    </message>
    <message>
        <source>Product of two quantized tensors.</source>
        <translation>两个量化张量之积。</translation>
    </message>
    <message>
        <source>Quantized tensors one after the other, in one scale.</source>
        <translation>量化张量依次拼接，统一尺度。</translation>
    </message>
    <message>
        <source>Convolution of quantized images.</source>
        <translation>量化图像的卷积。</translation>
    </message>
    <message>
        <source>Product of a quantized matrix and the transpose of another.</source>
        <translation>一个量化矩阵与另一个量化矩阵转置的乘积。</translation>
    </message>
    <message>
        <source>Rows of elements in another length.</source>
        <translation>元素行改变长度。</translation>
    </message>
    <message>
        <source>Images in another size.</source>
        <translation>图像改变大小。</translation>
    </message>
    <message>
        <source>Volumes in another size.</source>
        <translation>体数据改变大小。</translation>
    </message>
    <message>
        <source>Regions of images, each sampled on a grid of bins.</source>
        <translation>图像区域，各自在网格单元上采样。</translation>
    </message>
    <message>
        <source>the operator&apos;s name where it comes from</source>
        <translation>算子在其来源处的名称</translation>
    </message>
    <message>
        <source>the operator set that it belongs to</source>
        <translation>它所属的算子集</translation>
    </message>
    <message>
        <source>the version of that operator set</source>
        <translation>该算子集的版本</translation>
    </message>
    <message>
        <source>places of inputs that it may have and has not</source>
        <translation>可有而未给出的输入的位置</translation>
    </message>
    <message>
        <source>its attributes there: names and values</source>
        <translation>它在那里的属性：名称和值</translation>
    </message>
    <message>
        <source>functions of the module that it runs: what each is to it (then, else, body), and the function&apos;s name</source>
        <translation>它运行的模块函数：每个函数的角色（then、else、body）及其名称</translation>
    </message>
    <message>
        <source>how many of its last inputs only its bodies use</source>
        <translation>最后多少个输入只由它的函数体使用</translation>
    </message>
    <message>
        <source>the shape of each result; -1 is unknown</source>
        <translation>每个结果的形状；-1 表示未知</translation>
    </message>
    <message>
        <source>the element type of each result</source>
        <translation>每个结果的元素类型</translation>
    </message>
    <message>
        <source>the backend&apos;s name</source>
        <translation>后端的名称</translation>
    </message>
    <message>
        <source>the type that the value would be cast to</source>
        <translation>该值将转换成的类型</translation>
    </message>
    <message>
        <source>the least value of the result</source>
        <translation>结果的最小值</translation>
    </message>
    <message>
        <source>the greatest value of the result</source>
        <translation>结果的最大值</translation>
    </message>
    <message>
        <source>the result&apos;s data type</source>
        <translation>结果的数据类型</translation>
    </message>
    <message>
        <source>the factor in units of 2^-31</source>
        <translation>以 2^-31 为单位的因子</translation>
    </message>
    <message>
        <source>the power of two that the product is multiplied by</source>
        <translation>乘积所乘的 2 的幂的指数</translation>
    </message>
    <message>
        <source>the axes that are reduced; None: all</source>
        <translation>归约的轴；None：全部</translation>
    </message>
    <message>
        <source>reduced axes stay as dimensions of 1</source>
        <translation>归约的轴保留为大小为 1 的维度</translation>
    </message>
    <message>
        <source>the axes that are not given are reduced</source>
        <translation>归约未给出的轴</translation>
    </message>
    <message>
        <source>of equal elements the last counts, else the first</source>
        <translation>元素相等时取最后一个，否则取第一个</translation>
    </message>
    <message>
        <source>divides by one less than the number of elements</source>
        <translation>除以元素个数减一</translation>
    </message>
    <message>
        <source>the result&apos;s shape; 0, -1 to -4 are special</source>
        <translation>结果的形状；0 和 -1 至 -4 有特殊含义</translation>
    </message>
    <message>
        <source>0 is a dimension of zero, not a copied one</source>
        <translation>0 表示大小为零的维度，而不是沿用的维度</translation>
    </message>
    <message>
        <source>where the new dimensions stand</source>
        <translation>新维度的位置</translation>
    </message>
    <message>
        <source>how many they are</source>
        <translation>新维度的个数</translation>
    </message>
    <message>
        <source>the dimensions to leave out; None: all of 1</source>
        <translation>要去掉的维度；None：所有大小为 1 的维度</translation>
    </message>
    <message>
        <source>the type that the bits are read as</source>
        <translation>解读这些位所用的类型</translation>
    </message>
    <message>
        <source>the operand&apos;s axis for each axis of the result; None turns the order round</source>
        <translation>结果每个轴对应的操作数的轴；None 表示反转顺序</translation>
    </message>
    <message>
        <source>the result&apos;s shape</source>
        <translation>结果的形状</translation>
    </message>
    <message>
        <source>how often each slice stands</source>
        <translation>每个切片重复的次数</translation>
    </message>
    <message>
        <source>the axis</source>
        <translation>轴</translation>
    </message>
    <message>
        <source>how often along each axis</source>
        <translation>沿每个轴的次数</translation>
    </message>
    <message>
        <source>the axis; None is 0</source>
        <translation>轴；None 即 0</translation>
    </message>
    <message>
        <source>&quot;ij&quot;, or &quot;xy&quot;, which swaps the first two dimensions</source>
        <translation>“ij”，或交换前两个维度的 “xy”</translation>
    </message>
    <message>
        <source>the operand&apos;s layout</source>
        <translation>操作数的布局</translation>
    </message>
    <message>
        <source>the result&apos;s layout</source>
        <translation>结果的布局</translation>
    </message>
    <message>
        <source>the axis along which the tensors follow each other</source>
        <translation>张量依次排列所沿的轴</translation>
    </message>
    <message>
        <source>where the new axis stands</source>
        <translation>新轴的位置</translation>
    </message>
    <message>
        <source>how many equal parts, or a list of where each but the first begins</source>
        <translation>等分的份数，或除第一份外各份起始位置的列表</translation>
    </message>
    <message>
        <source>the axis that is cut</source>
        <translation>被切分的轴</translation>
    </message>
    <message>
        <source>the first index along each axis</source>
        <translation>沿每个轴的起始索引</translation>
    </message>
    <message>
        <source>the index before which to stop, or the size</source>
        <translation>终止索引（不含），或大小</translation>
    </message>
    <message>
        <source>the step; negative goes backwards</source>
        <translation>步长；负数表示反向</translation>
    </message>
    <message>
        <source>&quot;end&quot;, or &quot;size&quot; where `end` holds sizes</source>
        <translation>“end”，或 “size”（此时 `end` 为大小）</translation>
    </message>
    <message>
        <source>the axes that are meant; None: the first ones</source>
        <translation>所指的轴；None：前几个轴</translation>
    </message>
    <message>
        <source>the axes that are cut; None: all</source>
        <translation>被截断的轴；None：全部</translation>
    </message>
    <message>
        <source>the result&apos;s data type; default: the value&apos;s</source>
        <translation>结果的数据类型；默认：值的类型</translation>
    </message>
    <message>
        <source>the first number, where it is known</source>
        <translation>第一个数（若已知）</translation>
    </message>
    <message>
        <source>the end, where it is known</source>
        <translation>终点（若已知）</translation>
    </message>
    <message>
        <source>the step, where it is known</source>
        <translation>步长（若已知）</translation>
    </message>
    <message>
        <source>the vectors&apos; length</source>
        <translation>向量的长度</translation>
    </message>
    <message>
        <source>where the vectors&apos; axis stands; -1: last</source>
        <translation>向量所在轴的位置；-1：最后</translation>
    </message>
    <message>
        <source>the result&apos;s data type; default: int32</source>
        <translation>结果的数据类型；默认：int32</translation>
    </message>
    <message>
        <source>the value</source>
        <translation>该值</translation>
    </message>
    <message>
        <source>the axis of time: 0 or 1</source>
        <translation>时间轴：0 或 1</translation>
    </message>
    <message>
        <source>the upper triangle, else the lower</source>
        <translation>上三角，否则下三角</translation>
    </message>
    <message>
        <source>leading dimensions that data and indices share</source>
        <translation>数据与索引共有的前导维度</translation>
    </message>
    <message>
        <source>the axis; None takes from the flat data</source>
        <translation>轴；None 表示从展平的数据中取</translation>
    </message>
    <message>
        <source>what becomes of indices out of range: clip, wrap or fast</source>
        <translation>越界索引的处理：clip、wrap 或 fast</translation>
    </message>
    <message>
        <source>the size of a tuple where the indices&apos; shape is unknown</source>
        <translation>索引形状未知时元组的大小</translation>
    </message>
    <message>
        <source>the axis that the indices mean</source>
        <translation>索引所指的轴</translation>
    </message>
    <message>
        <source>update, add, mul, min or max</source>
        <translation>update、add、mul、min 或 max</translation>
    </message>
    <message>
        <source>smallest first</source>
        <translation>最小的在前</translation>
    </message>
    <message>
        <source>the type of indices; default: int32</source>
        <translation>索引的类型；默认：int32</translation>
    </message>
    <message>
        <source>how many; below 1: all</source>
        <translation>个数；小于 1：全部</translation>
    </message>
    <message>
        <source>both, values or indices</source>
        <translation>both、values 或 indices</translation>
    </message>
    <message>
        <source>the smallest</source>
        <translation>取最小的</translation>
    </message>
    <message>
        <source>the axis; None: over the flat data</source>
        <translation>轴；None：对展平的数据</translation>
    </message>
    <message>
        <source>the result&apos;s data type; default: the data&apos;s</source>
        <translation>结果的数据类型；默认：数据的类型</translation>
    </message>
    <message>
        <source>each element counts only those before it</source>
        <translation>每个元素只计它之前的元素</translation>
    </message>
    <message>
        <source>the axis of the sequences</source>
        <translation>序列所在的轴</translation>
    </message>
    <message>
        <source>the axis of the lengths</source>
        <translation>长度所在的轴</translation>
    </message>
    <message>
        <source>how far the window moves, for each spatial axis</source>
        <translation>窗口沿每个空间轴移动的距离</translation>
    </message>
    <message>
        <source>zeros around the data: one value, one for each axis, or one for each side</source>
        <translation>数据四周的零：一个值、每轴一个或每侧一个</translation>
    </message>
    <message>
        <source>distance of the kernel&apos;s elements, for each spatial axis</source>
        <translation>卷积核元素沿每个空间轴的间距</translation>
    </message>
    <message>
        <source>into how many separate groups the channels are divided</source>
        <translation>通道分成的独立组数</translation>
    </message>
    <message>
        <source>number of output channels; None: as the weight has them</source>
        <translation>输出通道数；None：由权重决定</translation>
    </message>
    <message>
        <source>extents of the kernel; None: as the weight has them</source>
        <translation>卷积核的尺寸；None：由权重决定</translation>
    </message>
    <message>
        <source>order of the data&apos;s dimensions</source>
        <translation>数据维度的顺序</translation>
    </message>
    <message>
        <source>order of the weight&apos;s dimensions</source>
        <translation>权重维度的顺序</translation>
    </message>
    <message>
        <source>order of the result&apos;s dimensions; empty: as data_layout</source>
        <translation>结果维度的顺序；空：同 data_layout</translation>
    </message>
    <message>
        <source>the result&apos;s type; empty: the data&apos;s</source>
        <translation>结果的类型；空：数据的类型</translation>
    </message>
    <message>
        <source>elements added at the end of each axis</source>
        <translation>在每个轴末尾添加的元素数</translation>
    </message>
    <message>
        <source>what is cut off the result at each side</source>
        <translation>结果每侧被截去的部分</translation>
    </message>
    <message>
        <source>number of output features; None: as the weight has them</source>
        <translation>输出特征数；None：由权重决定</translation>
    </message>
    <message>
        <source>transpose the first operand</source>
        <translation>转置第一个操作数</translation>
    </message>
    <message>
        <source>transpose the second operand</source>
        <translation>转置第二个操作数</translation>
    </message>
    <message>
        <source>extents of the window</source>
        <translation>窗口的尺寸</translation>
    </message>
    <message>
        <source>how far the window moves</source>
        <translation>窗口移动的距离</translation>
    </message>
    <message>
        <source>distance of the window&apos;s elements</source>
        <translation>窗口元素的间距</translation>
    </message>
    <message>
        <source>padding: one value, one for each axis or each side</source>
        <translation>填充：一个值、每轴一个或每侧一个</translation>
    </message>
    <message>
        <source>order of the result&apos;s dimensions; empty: as layout</source>
        <translation>结果维度的顺序；空：同 layout</translation>
    </message>
    <message>
        <source>whether a last, incomplete window counts</source>
        <translation>最后不完整的窗口是否计入</translation>
    </message>
    <message>
        <source>whether padding counts in the divisor</source>
        <translation>填充是否计入除数</translation>
    </message>
    <message>
        <source>extents of the result; empty: as the data</source>
        <translation>结果的尺寸；空：同数据</translation>
    </message>
    <message>
        <source>the channels&apos; axis</source>
        <translation>通道所在的轴</translation>
    </message>
    <message>
        <source>added to the variance</source>
        <translation>加到方差上的值</translation>
    </message>
    <message>
        <source>whether beta is added</source>
        <translation>是否加上 beta</translation>
    </message>
    <message>
        <source>whether gamma is a factor</source>
        <translation>是否乘以 gamma</translation>
    </message>
    <message>
        <source>into how many groups the channels are divided</source>
        <translation>通道分成的组数</translation>
    </message>
    <message>
        <source>the axis that sums to one</source>
        <translation>总和为一的轴</translation>
    </message>
    <message>
        <source>how many neighbours count</source>
        <translation>计入的相邻通道数</translation>
    </message>
    <message>
        <source>added to the sum</source>
        <translation>加到总和上的值</translation>
    </message>
    <message>
        <source>factor of the sum</source>
        <translation>总和的因子</translation>
    </message>
    <message>
        <source>exponent</source>
        <translation>指数</translation>
    </message>
    <message>
        <source>smallest sum of squares</source>
        <translation>最小的平方和</translation>
    </message>
    <message>
        <source>the axes of the norm</source>
        <translation>求范数的轴</translation>
    </message>
    <message>
        <source>how likely an element is dropped</source>
        <translation>元素被丢弃的概率</translation>
    </message>
    <message>
        <source>slope of the negative part</source>
        <translation>负半部分的斜率</translation>
    </message>
    <message>
        <source>the axis that the vector runs along</source>
        <translation>向量所沿的轴</translation>
    </message>
    <message>
        <source>for each axis, how many elements before and after</source>
        <translation>每个轴前后的元素数</translation>
    </message>
    <message>
        <source>constant, edge or reflect</source>
        <translation>constant、edge 或 reflect</translation>
    </message>
    <message>
        <source>SYMMETRIC repeats the edge, REFLECT does not</source>
        <translation>SYMMETRIC 重复边缘，REFLECT 不重复</translation>
    </message>
    <message>
        <source>edge of a block</source>
        <translation>块的边长</translation>
    </message>
    <message>
        <source>DCR: blocks first, CDR: channels first</source>
        <translation>DCR：块在前，CDR：通道在前</translation>
    </message>
    <message>
        <source>extents of a block</source>
        <translation>块的尺寸</translation>
    </message>
    <message>
        <source>what the padding is filled with</source>
        <translation>填充所用的值</translation>
    </message>
    <message>
        <source>for each axis, how many elements are cut off before and after</source>
        <translation>每个轴前后截去的元素数</translation>
    </message>
    <message>
        <source>distance of neighbours in the result</source>
        <translation>结果中相邻元素的间距</translation>
    </message>
    <message>
        <source>what is put between</source>
        <translation>插入其间的值</translation>
    </message>
    <message>
        <source>factor of the height</source>
        <translation>高度的倍数</translation>
    </message>
    <message>
        <source>factor of the width</source>
        <translation>宽度的倍数</translation>
    </message>
    <message>
        <source>nearest_neighbor, bilinear or bicubic</source>
        <translation>nearest_neighbor、bilinear 或 bicubic</translation>
    </message>
    <message>
        <source>whether the corners of data and result coincide</source>
        <translation>数据与结果的角是否对齐</translation>
    </message>
    <message>
        <source>factor of the depth</source>
        <translation>深度的倍数</translation>
    </message>
    <message>
        <source>nearest_neighbor or trilinear</source>
        <translation>nearest_neighbor 或 trilinear</translation>
    </message>
    <message>
        <source>half_pixel, align_corners or asymmetric</source>
        <translation>half_pixel、align_corners 或 asymmetric</translation>
    </message>
    <message>
        <source>the axis along which scales and zero points vary</source>
        <translation>尺度和零点随之变化的轴</translation>
    </message>
    <message>
        <source>&quot;UPWARD&quot;, &quot;TONEAREST&quot; or &quot;TOEVEN&quot;</source>
        <translation>“UPWARD”、“TONEAREST” 或 “TOEVEN”</translation>
    </message>
    <message>
        <source>&quot;int64&quot;, &quot;float32&quot; or &quot;float64&quot;</source>
        <translation>“int64”、“float32” 或 “float64”</translation>
    </message>
    <message>
        <source>the result&apos;s size along the spatial axes</source>
        <translation>结果沿空间轴的大小</translation>
    </message>
    <message>
        <source>where tf_crop_and_resize begins and ends along each axis</source>
        <translation>tf_crop_and_resize 沿每个轴的起止位置</translation>
    </message>
    <message>
        <source>the data&apos;s layout</source>
        <translation>数据的布局</translation>
    </message>
    <message>
        <source>nearest_neighbor, linear or cubic</source>
        <translation>nearest_neighbor、linear 或 cubic</translation>
    </message>
    <message>
        <source>how coordinates are mapped back</source>
        <translation>坐标如何映射回原图</translation>
    </message>
    <message>
        <source>for nearest_neighbor: round, floor, ceil, ...</source>
        <translation>用于 nearest_neighbor：round、floor、ceil 等</translation>
    </message>
    <message>
        <source>the coefficient of the cubic spline</source>
        <translation>三次样条的系数</translation>
    </message>
    <message>
        <source>weights outside the image are left out</source>
        <translation>忽略图像之外的权重</translation>
    </message>
    <message>
        <source>the value outside the region</source>
        <translation>区域之外的值</translation>
    </message>
    <message>
        <source>rows and columns of bins</source>
        <translation>单元的行数和列数</translation>
    </message>
    <message>
        <source>what the corners are multiplied by</source>
        <translation>角坐标所乘的因子</translation>
    </message>
    <message>
        <source>samples along each side of a bin; not positive: as many as it is large</source>
        <translation>单元每边的采样数；非正数：与单元大小相同</translation>
    </message>
    <message>
        <source>avg or max of the samples; max_part, as ONNX: the largest share of one element</source>
        <translation>采样值的 avg 或 max；max_part（同 ONNX）：单个元素的最大份额</translation>
    </message>
    <message>
        <source>corners lie half a pixel before those given; a region may be smaller than a pixel</source>
        <translation>角点位于给定位置之前半个像素；区域可以小于一个像素</translation>
    </message>
    <message>
        <source>Attention of several heads: the values of the keys, each by its share in the softmax of the row&apos;s scores.</source>
        <translation>多头注意力：各键的值，按其在该行得分的 softmax 中所占份额相加。</translation>
    </message>
    <message>
        <source>factor of the products of rows and keys; 0: 1 / sqrt(size)</source>
        <translation>行与键的乘积的系数；0：1 / sqrt(大小)</translation>
    </message>
    <message>
        <source>a score x becomes softcap * tanh(x / softcap); 0: it stays</source>
        <translation>得分 x 变为 softcap * tanh(x / softcap)；0：保持不变</translation>
    </message>
    <message>
        <source>whether a row sees no key behind its own</source>
        <translation>一行是否看不到自己的键之后的键</translation>
    </message>
    <message>
        <source>the number of keys before that of the first row</source>
        <translation>第一行的键之前的键数</translation>
    </message>
</context>
</TS>
