<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Canvas</name>
    <message numerus="yes">
        <source>%1 · %n op(s)</source>
        <translation>
            <numerusform>%1 · %n 个算子</numerusform>
        </translation>
    </message>
    <message>
        <source>then</source>
        <translation>则</translation>
    </message>
    <message>
        <source>else</source>
        <translation>否则</translation>
    </message>
</context>
<context>
    <name>Edge</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>还有 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Value on an edge</source>
        <translation>边上的值</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来自</translation>
    </message>
    <message>
        <source>To</source>
        <translation>去往</translation>
    </message>
    <message>
        <source>Also used by</source>
        <translation>也用于</translation>
    </message>
    <message>
        <source>E chooses the next edge that enters the node.</source>
        <translation>E 选择进入该节点的下一条边。</translation>
    </message>
</context>
<context>
    <name>Engine</name>
    <message>
        <source>no rule for %1</source>
        <translation>没有针对 %1 的规则</translation>
    </message>
    <message>
        <source>%1: kept by hand</source>
        <translation>%1：由人工保留</translation>
    </message>
    <message>
        <source>%1: outside the limits of regions</source>
        <translation>%1：超出区域的限制</translation>
    </message>
    <message>
        <source>every %1</source>
        <translation>所有 %1</translation>
    </message>
    <message>
        <source>supported without a condition</source>
        <translation>无条件支持</translation>
    </message>
    <message>
        <source>no rule for %1; it would follow its argument or all its users, but they are not on this backend</source>
        <translation>没有针对 %1 的规则；它本会跟随其参数或所有使用者，但它们不在该后端上</translation>
    </message>
    <message>
        <source>%1 is the root of a match of the pattern %2.</source>
        <translation>%1 是模式 %2 一处匹配的根。</translation>
    </message>
    <message>
        <source>%1 matches the pattern %2, but does not become a composite: %3.</source>
        <translation>%1 符合模式 %2，但保持不变：%3。</translation>
    </message>
    <message>
        <source>%1 goes to %2: the backend accepts it.</source>
        <translation>%1 交给 %2：该后端接受它。</translation>
    </message>
    <message>
        <source>%1 goes to %2: %3 accepts it.</source>
        <translation>%1 交给 %2：%3 接受它。</translation>
    </message>
    <message>
        <source>%1 does not go to %2: %3.</source>
        <translation>%1 不交给 %2：%3。</translation>
    </message>
    <message>
        <source>%1 does not go to %2: it has no rule for the op.</source>
        <translation>%1 不交给 %2：它没有针对该算子的规则。</translation>
    </message>
    <message>
        <source>%1 goes to %2: you assigned it.</source>
        <translation>%1 交给 %2，因为这是您指定的。</translation>
    </message>
    <message>
        <source>%1 goes to %2, where its operands go.</source>
        <translation>%1 交给 %2，与其操作数一致。</translation>
    </message>
    <message>
        <source>%1 goes back to default: %2.</source>
        <translation>%1 退回 default：%2。</translation>
    </message>
    <message>
        <source>merging has not run yet</source>
        <translation>尚未执行合并</translation>
    </message>
    <message>
        <source>%1 stays on default: no backend has the name that its pattern %2 begins with.</source>
        <translation>%1 留在 default：没有后端与其模式 %2 的开头同名。</translation>
    </message>
    <message>
        <source>%1 does not go to %2: rules apply to operators only, and it calls a function.</source>
        <translation>%1 不交给 %2：规则针对算子，而它调用的是函数。</translation>
    </message>
    <message>
        <source>together they would have %1 inputs, at most 1 is allowed</source>
        <translation>合并后会有 %1 个输入，最多允许 1 个</translation>
    </message>
    <message>
        <source>together they would have %1 inputs, at most %2 are allowed</source>
        <translation>合并后会有 %1 个输入，最多允许 %2 个</translation>
    </message>
    <message>
        <source>together they would have %1 outputs, at most 1 is allowed</source>
        <translation>合并后会有 %1 个输出，最多允许 1 个</translation>
    </message>
    <message>
        <source>together they would have %1 outputs, at most %2 are allowed</source>
        <translation>合并后会有 %1 个输出，最多允许 %2 个</translation>
    </message>
    <message>
        <source>its region %1, and %2, and %3, and %4</source>
        <translation>它所在的区域%1，%2，%3，并且%4</translation>
    </message>
    <message>
        <source>its region %1, and %2, and %3</source>
        <translation>它所在的区域%1，%2，并且%3</translation>
    </message>
    <message>
        <source>its region %1, and %2</source>
        <translation>它所在的区域%1，并且%2</translation>
    </message>
    <message>
        <source>its region %1</source>
        <translation>它所在的区域%1</translation>
    </message>
    <message>
        <source>has 1 call, at least %1 are required</source>
        <translation>有 1 个调用（至少要 %1 个）</translation>
    </message>
    <message>
        <source>has %1 calls, at least 1 is required</source>
        <translation>有 %1 个调用（至少要 1 个）</translation>
    </message>
    <message>
        <source>has %1 calls, at least %2 are required</source>
        <translation>有 %1 个调用（至少要 %2 个）</translation>
    </message>
    <message>
        <source>takes %1 operations, at least %2 are required</source>
        <translation>需要 %1 次运算（至少要 %2 次）</translation>
    </message>
    <message>
        <source>has %1 inputs, at most 1 is allowed</source>
        <translation>有 %1 个输入（最多允许 1 个）</translation>
    </message>
    <message>
        <source>has %1 inputs, at most %2 are allowed</source>
        <translation>有 %1 个输入（最多允许 %2 个）</translation>
    </message>
    <message>
        <source>has %1 outputs, at most 1 is allowed</source>
        <translation>有 %1 个输出（最多允许 1 个）</translation>
    </message>
    <message>
        <source>has %1 outputs, at most %2 are allowed</source>
        <translation>有 %1 个输出（最多允许 %2 个）</translation>
    </message>
    <message>
        <source>you keep them apart</source>
        <translation>您让它们保持分开</translation>
    </message>
    <message>
        <source>the regions are in different functions or branches</source>
        <translation>这些区域位于不同的函数或分支中</translation>
    </message>
    <message>
        <source>they could be merged, but at first %1 and %2 were in one region with one of them, which depended on itself through %3 and was split; the earlier decision still holds: a path then led from %4 to %5, which were in the regions of the two, through %6</source>
        <translation>它们本可以合并，但起初 %1 和 %2 与其中之一同在一个区域，该区域经由 %3 依赖自身而被拆开；之前的决定依然有效，当时有一条路径从 %4 通向 %5（它们位于这两个区域中）：经由 %6</translation>
    </message>
    <message>
        <source>%1 of constants became a constant</source>
        <translation>常量上的 %1 变成了常量</translation>
    </message>
    <message>
        <source>nn.batch_norm became a multiplication and an addition</source>
        <translation>nn.batch_norm 变成了一次乘法和一次加法</translation>
    </message>
    <message>
        <source>nn.dropout became its argument</source>
        <translation>nn.dropout 变成了它的参数</translation>
    </message>
    <message>
        <source>nn.layer_norm became mean, variance and arithmetic</source>
        <translation>nn.layer_norm 变成了均值、方差和算术运算</translation>
    </message>
    <message>
        <source>nn.group_norm became mean, variance and arithmetic</source>
        <translation>nn.group_norm 变成了均值、方差和算术运算</translation>
    </message>
    <message>
        <source>the check is false: %1</source>
        <translation>检查为假：%1</translation>
    </message>
    <message>
        <source>nn.instance_norm became mean, variance and arithmetic</source>
        <translation>nn.instance_norm 变成了均值、方差和算术运算</translation>
    </message>
    <message>
        <source>you said so</source>
        <translation>这是您指定的</translation>
    </message>
    <message>
        <source>it goes where its neighbours go</source>
        <translation>它与相邻算子去向相同</translation>
    </message>
    <message>
        <source>the function is for %1</source>
        <translation>该函数专供 %1</translation>
    </message>
    <message>
        <source>it is part of %1</source>
        <translation>它是 %1 的一部分</translation>
    </message>
    <message>
        <source>at %1: &apos;%2&apos; does not match: %3</source>
        <translation>在 %1 处：“%2”不匹配：%3</translation>
    </message>
    <message>
        <source>they are one region</source>
        <translation>它们是同一个区域</translation>
    </message>
    <message>
        <source>the second uses no value of the first</source>
        <translation>后者不使用前者的任何值</translation>
    </message>
    <message>
        <source>they go to different backends, %1 and %2</source>
        <translation>它们交给不同的后端：%1 和 %2</translation>
    </message>
    <message>
        <source>together they would depend on themselves: a path leads out and back in through %1</source>
        <translation>合在一起它们会依赖自身：有路径经由 %1 出去又返回</translation>
    </message>
    <message>
        <source>they could be merged, but calls on default are taken together as regions too, and through those a path leads out and back in: %1</source>
        <translation>它们本可合并，但 default 上的调用也会合成区域，并经由它们有路径出去又返回：%1</translation>
    </message>
    <message>
        <source>a constant</source>
        <translation>一个常量</translation>
    </message>
    <message>
        <source>the constant %1</source>
        <translation>常量 %1</translation>
    </message>
    <message>
        <source>it does not match</source>
        <translation>它不匹配</translation>
    </message>
    <message>
        <source>it has no attributes</source>
        <translation>它没有属性</translation>
    </message>
    <message>
        <source>it has no attribute %1</source>
        <translation>它没有属性 %1</translation>
    </message>
    <message>
        <source>its %1 is %2</source>
        <translation>其属性 %1 为 %2</translation>
    </message>
    <message>
        <source>a call of %1</source>
        <translation>对 %1 的调用</translation>
    </message>
    <message>
        <source>a call of the composite %1</source>
        <translation>对复合函数 %1 的调用</translation>
    </message>
    <message>
        <source>the variable %1</source>
        <translation>变量 %1</translation>
    </message>
    <message>
        <source>the operator %1</source>
        <translation>算子 %1</translation>
    </message>
    <message>
        <source>a tuple of %1</source>
        <translation>含 %1 个元素的元组</translation>
    </message>
    <message>
        <source>field %1 of a tuple</source>
        <translation>元组的第 %1 个字段</translation>
    </message>
    <message>
        <source>a function</source>
        <translation>一个函数</translation>
    </message>
    <message>
        <source>another kind of expression</source>
        <translation>另一种表达式</translation>
    </message>
    <message>
        <source>not all paths to it come from &apos;%1&apos;</source>
        <translation>通向它的路径并非全部来自“%1”</translation>
    </message>
    <message>
        <source>not all paths to it come from &apos;%1&apos; through &apos;%2&apos;</source>
        <translation>通向它的路径并非全部来自“%1”并经过“%2”</translation>
    </message>
    <message>
        <source>it has to be the same expression as another part of the pattern</source>
        <translation>它必须与模式的另一部分是同一个表达式</translation>
    </message>
    <message>
        <source>its type is %1</source>
        <translation>其类型为 %1</translation>
    </message>
    <message>
        <source>expected a constant, found %1</source>
        <translation>需要常量，而它是%1</translation>
    </message>
    <message>
        <source>it is %1</source>
        <translation>它是%1</translation>
    </message>
    <message>
        <source>nn.l2_normalize became a division by a root</source>
        <translation>nn.l2_normalize 变成了除以平方根的运算</translation>
    </message>
    <message>
        <source>it calls the composite %1, which goes to the backend that its name begins with</source>
        <translation>它调用复合函数 %1，后者交给其名称开头所指的后端</translation>
    </message>
    <message>
        <source>it calls a function, and rules are for operators</source>
        <translation>它调用的是函数，而规则针对算子</translation>
    </message>
    <message>
        <source>%1 has no attribute %2</source>
        <translation>%1 没有属性 %2</translation>
    </message>
    <message>
        <source>%1 does not fit the attribute %2</source>
        <translation>%1 不适合属性 %2</translation>
    </message>
    <message>
        <source>only an operator can be replaced by another</source>
        <translation>只有算子才能换成另一个算子</translation>
    </message>
    <message>
        <source>%1 needs the attribute %2</source>
        <translation>%1 需要属性 %2</translation>
    </message>
    <message>
        <source>`%1` is not a valid name</source>
        <translation>`%1` 不是有效的名称</translation>
    </message>
    <message>
        <source>there is a parameter %1 already</source>
        <translation>已有参数 %1</translation>
    </message>
    <message>
        <source>there is no function %1</source>
        <translation>没有函数 %1</translation>
    </message>
    <message>
        <source>there is a function %1 already</source>
        <translation>已有函数 %1</translation>
    </message>
    <message>
        <source>only a parameter has a type of its own</source>
        <translation>只有参数有自己的类型</translation>
    </message>
    <message>
        <source>that is not a function</source>
        <translation>这不是函数</translation>
    </message>
    <message>
        <source>the function has no attribute %1</source>
        <translation>该函数没有属性 %1</translation>
    </message>
    <message>
        <source>a module has at least one function</source>
        <translation>模块至少要有一个函数</translation>
    </message>
    <message>
        <source>the result would depend on itself</source>
        <translation>结果会依赖于自身</translation>
    </message>
    <message>
        <source>%1 is not visible there</source>
        <translation>%1 在那里不可见</translation>
    </message>
    <message>
        <source>there is no such expression</source>
        <translation>没有这个表达式</translation>
    </message>
    <message>
        <source>only a call of a function can be inlined</source>
        <translation>只有函数调用才能内联</translation>
    </message>
    <message>
        <source>%1 calls itself, so it can&apos;t be inlined</source>
        <translation>%1 调用自身，因此无法内联</translation>
    </message>
    <message>
        <source>the call has a different number of arguments</source>
        <translation>调用的实参个数不同</translation>
    </message>
    <message>
        <source>there is no such operator</source>
        <translation>没有这个算子</translation>
    </message>
    <message>
        <source>nothing can be inserted there</source>
        <translation>那里不能插入任何内容</translation>
    </message>
    <message>
        <source>the expression is not in a function</source>
        <translation>该表达式不在任何函数中</translation>
    </message>
    <message>
        <source>the text has several functions and none is @main</source>
        <translation>文本中有多个函数，但没有 @main</translation>
    </message>
    <message>
        <source>the text takes %1 inputs, but %2 are selected</source>
        <translation>文本接受 %1 个输入，但选择了 %2 个</translation>
    </message>
    <message>
        <source>select what the text should follow</source>
        <translation>请选择文本要接在什么之后</translation>
    </message>
    <message>
        <source>it has no operand that could replace it</source>
        <translation>没有操作数可以取代它的位置</translation>
    </message>
    <message>
        <source>a constant is removed with its last user</source>
        <translation>常量随最后一个使用者一起移除</translation>
    </message>
    <message>
        <source>this can&apos;t be removed</source>
        <translation>这个不能取出</translation>
    </message>
    <message>
        <source>%1 is still used</source>
        <translation>%1 仍在使用</translation>
    </message>
    <message>
        <source>only a parameter of a global function can be removed</source>
        <translation>只能移除全局函数的参数</translation>
    </message>
    <message>
        <source>this operand can&apos;t be replaced</source>
        <translation>这个操作数不能替换</translation>
    </message>
    <message>
        <source>only calls, tuples and projections can go into a function</source>
        <translation>只有调用、元组和投影可以放进函数</translation>
    </message>
    <message>
        <source>select the operators first</source>
        <translation>请先选择算子</translation>
    </message>
    <message>
        <source>the selection lies in several functions</source>
        <translation>所选内容分布在多个函数中</translation>
    </message>
    <message>
        <source>the selection would depend on itself: %1 uses something outside that uses the selection</source>
        <translation>所选内容会依赖于自身：%1 使用了外部的内容，而该内容又使用所选内容</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>a tuple</source>
        <translation>一个元组</translation>
    </message>
    <message>
        <source>field %1</source>
        <translation>字段 %1</translation>
    </message>
    <message>
        <source>an expression</source>
        <translation>一个表达式</translation>
    </message>
    <message>
        <source>a call</source>
        <translation>一个调用</translation>
    </message>
    <message>
        <source>value: %1 → %2</source>
        <translation>值：%1 → %2</translation>
    </message>
    <message>
        <source>name: %1 → %2</source>
        <translation>名称：%1 → %2</translation>
    </message>
    <message>
        <source>backend: %1 → %2</source>
        <translation>后端：%1 → %2</translation>
    </message>
    <message>
        <source>type: %1 → %2</source>
        <translation>类型：%1 → %2</translation>
    </message>
    <message>
        <source>operator: %1 → %2</source>
        <translation>算子：%1 → %2</translation>
    </message>
    <message>
        <source>another value</source>
        <translation>另一个值</translation>
    </message>
    <message>
        <source>field: %1 → %2</source>
        <translation>字段：%1 → %2</translation>
    </message>
    <message>
        <source>input %1: %2 → %3</source>
        <translation>输入 %1：%2 → %3</translation>
    </message>
    <message>
        <source>now in one region with input %1 (%2)</source>
        <translation>现与输入 %1（%2）同属一个区域</translation>
    </message>
    <message>
        <source>no longer in one region with input %1 (%2)</source>
        <translation>不再与输入 %1（%2）同属一个区域</translation>
    </message>
    <message>
        <source>@%1 output %2: %3 → %4</source>
        <translation>@%1 输出 %2：%3 → %4</translation>
    </message>
    <message>
        <source>%1: not annotated in the file</source>
        <translation>%1：文件中未标注</translation>
    </message>
    <message>
        <source>not annotated in the file</source>
        <translation>文件中未标注</translation>
    </message>
    <message>
        <source>annotated so in the file</source>
        <translation>文件中如此标注</translation>
    </message>
    <message>
        <source>%1 of %2 regions ran on %3, %4 fell back to default</source>
        <translation>%2 个区域中 %1 个在 %3 上运行，%4 个回退到 default</translation>
    </message>
    <message>
        <source>1 region of %1 ran on default</source>
        <translation>%1 的 1 个区域在 default 上运行</translation>
    </message>
    <message>
        <source>%1 regions of %2 ran on default</source>
        <translation>%2 的 %1 个区域在 default 上运行</translation>
    </message>
    <message>
        <source>1 region ran on %1</source>
        <translation>1 个区域在 %1 上运行</translation>
    </message>
    <message>
        <source>%1 regions ran on %2</source>
        <translation>%1 个区域在 %2 上运行</translation>
    </message>
    <message>
        <source>partitioned so in the file</source>
        <translation>文件中已如此划分</translation>
    </message>
    <message>
        <source>%1: its check</source>
        <translation>%1：其检查</translation>
    </message>
    <message>
        <source>%1, 1 match</source>
        <translation>%1，1 处匹配</translation>
    </message>
    <message>
        <source>%1, %2 matches</source>
        <translation>%1，%2 处匹配</translation>
    </message>
    <message>
        <source>lower %1 to %2</source>
        <translation>将 %1 降到 %2</translation>
    </message>
    <message>
        <source>drop %1</source>
        <translation>去掉 %1</translation>
    </message>
    <message>
        <source>raise %1 to %2</source>
        <translation>将 %1 提高到 %2</translation>
    </message>
    <message>
        <source>%1: %2 → %3</source>
        <translation>%1：%2 → %3</translation>
    </message>
    <message>
        <source>%1: %2 → %3, a new rule</source>
        <translation>%1：%2 → %3，新规则</translation>
    </message>
    <message>
        <source>it expects %1 after %2; here nothing is</source>
        <translation>它期望 %2 之后是 %1；此处什么也没有</translation>
    </message>
    <message>
        <source>it expects %1 after %2; here is %3</source>
        <translation>它期望 %2 之后是 %1；此处是 %3</translation>
    </message>
    <message>
        <source>nothing in this graph calls %1</source>
        <translation>此图中没有对 %1 的调用</translation>
    </message>
    <message>
        <source>nothing in this graph calls %1; after %2 it expects %3, there is %4</source>
        <translation>此图中没有对 %1 的调用；它期望 %2 之后是 %3，实际是 %4</translation>
    </message>
    <message>
        <source>nothing in this graph calls %1; after %2 it expects %3, there is %4, %5 times</source>
        <translation>此图中没有对 %1 的调用；它期望 %2 之后是 %3，实际是 %4，共 %5 次</translation>
    </message>
    <message>
        <source>it was not asked: its rules are a program, which did not run</source>
        <translation>没有询问它：它的规则是一个没有运行的程序</translation>
    </message>
    <message>
        <source>the annotator accepts it</source>
        <translation>标注程序接受它</translation>
    </message>
    <message>
        <source>the check is false: %1%2</source>
        <translation>检查不成立：%1%2</translation>
    </message>
    <message>
        <source>%1: costs least on default</source>
        <translation>%1：在 default 上代价最小</translation>
    </message>
    <message>
        <source>its region %1, and %2, and %3, and %4, and %5</source>
        <translation>其区域%1，%2，%3，%4，并且%5</translation>
    </message>
    <message>
        <source>reads %1 bytes of weights, at most %2 are allowed</source>
        <translation>读取 %1 字节权重，最多允许 %2</translation>
    </message>
    <message>
        <source>it reads %1 bytes of weights, and the backend has %2 of %3 left; calls with more work for each byte come first</source>
        <translation>它读取 %1 字节权重，而后端 %3 中仅剩 %2；每字节工作量更大的调用优先</translation>
    </message>
    <message>
        <source>together they would read %1 bytes of weights, at most 1 is allowed</source>
        <translation>合在一起会读取 %1 字节权重，最多允许 1</translation>
    </message>
    <message>
        <source>together they would read %1 bytes of weights, at most %2 are allowed</source>
        <translation>合在一起会读取 %1 字节权重，最多允许 %2</translation>
    </message>
    <message>
        <source>its region %1, and %2, and %3, and %4, and %5, and %6</source>
        <translation>其区域%1，%2，%3，%4，%5，并且%6</translation>
    </message>
    <message>
        <source>holds %1 bytes at once, at most %2 are allowed</source>
        <translation>同时保存 %1 字节，最多允许 %2</translation>
    </message>
    <message>
        <source>together they would hold %1 bytes at once, at most 1 is allowed</source>
        <translation>合在一起会同时保存 %1 字节，最多允许 1</translation>
    </message>
    <message>
        <source>together they would hold %1 bytes at once, at most %2 are allowed</source>
        <translation>合在一起会同时保存 %1 字节，最多允许 %2</translation>
    </message>
    <message>
        <source>The region of %1 is merged into the region of %2.</source>
        <translation>%1 的区域合并到 %2 的区域。</translation>
    </message>
    <message>
        <source>%1 is not merged with %2: %3.</source>
        <translation>%1 不与 %2 合并：%3。</translation>
    </message>
    <message>
        <source>%1 is not merged with %2: they go to different backends.</source>
        <translation>%1 不与 %2 合并：它们属于不同的后端。</translation>
    </message>
    <message>
        <source>The region of %1 must not be merged into the region of %2: the merged region would depend on itself through %3.</source>
        <translation>%1 的区域不得合并到 %2 的区域：合并后的区域会经由 %3 依赖自身。</translation>
    </message>
    <message>
        <source>The region of %1 is not merged into the region of %2: %3.</source>
        <translation>%1 的区域不合并到 %2 的区域：%3。</translation>
    </message>
    <message>
        <source>The region of %1 becomes @%2.</source>
        <translation>%1 的区域成为 @%2。</translation>
    </message>
    <message>
        <source>An input of a region, %1, is put into its function.</source>
        <translation>区域的一个输入 %1 被放入其函数。</translation>
    </message>
    <message>
        <source>standard normal numbers</source>
        <translation>标准正态分布的数</translation>
    </message>
    <message>
        <source>numbers from %1 to %2</source>
        <translation>%1 到 %2 的数</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 或 %2</translation>
    </message>
    <message>
        <source>whole numbers from %1 to %2</source>
        <translation>%1 到 %2 的整数</translation>
    </message>
    <message>
        <source>in %1 of %2 blocks</source>
        <translation>在 %2 个块中的 %1 个</translation>
    </message>
    <message>
        <source>%1 in each of %2 blocks</source>
        <translation>%2 个块中每块 %1 个</translation>
    </message>
    <message>
        <source>%1 in each of %2 blocks, %3 more</source>
        <translation>%2 个块中每块 %1 个，另有 %3 个</translation>
    </message>
    <message>
        <source>in block %1 of %2</source>
        <translation>在第 %1 块（共 %2 块）</translation>
    </message>
    <message>
        <source>in each of %1 blocks</source>
        <translation>在全部 %1 个块中</translation>
    </message>
    <message>
        <source>nn.attention became products, a softmax and arithmetic</source>
        <translation>nn.attention 变成了矩阵乘积、softmax 和算术运算</translation>
    </message>
    <message>
        <source>nn.rms_norm became mean and arithmetic</source>
        <translation>nn.rms_norm 变成了均值和算术运算</translation>
    </message>
    <message>
        <source>nn.rotary_embedding became slices and arithmetic</source>
        <translation>nn.rotary_embedding 变成了切片和算术运算</translation>
    </message>
    <message>
        <source>nn.linear_attention became arithmetic, row after row</source>
        <translation>nn.linear_attention 变成了逐行的算术运算</translation>
    </message>
    <message>
        <source>linalg.det became products and a sum</source>
        <translation>linalg.det 变成了乘积与求和</translation>
    </message>
    <message>
        <source>nn.expert_dense became products of all experts, of which those chosen are taken</source>
        <translation>nn.expert_dense 变成了所有专家的矩阵乘积，只取所选的</translation>
    </message>
    <message>
        <source>the placement by time puts it there</source>
        <translation>按时间的放置把它放在那里</translation>
    </message>
    <message>
        <source>%1 goes to %2: the placement by time puts it there.</source>
        <translation>%1 归 %2：按时间的放置把它放在那里。</translation>
    </message>
    <message>
        <source>there is an output %1 already</source>
        <translation>已有输出 %1</translation>
    </message>
    <message>
        <source>%1, in one region with %2</source>
        <translation>%1，与之同区域的 %2</translation>
    </message>
    <message>
        <source>%1: an expression inside is used elsewhere</source>
        <translation>%1：其中的一个表达式在别处被使用</translation>
    </message>
    <message>
        <source>%1: another match of it has a part</source>
        <translation>%1：它的另一个匹配占有一部分</translation>
    </message>
    <message>
        <source>you gave it %1, and the whole composite goes along</source>
        <translation>您把 %1 给了它，整个复合函数随之而去</translation>
    </message>
    <message>
        <source>%1 took it before %2 was asked: patterns come before rules</source>
        <translation>在询问 %2 之前，%1 已将其取走：模式先于规则</translation>
    </message>
    <message>
        <source>its function is not divided, so %1 was not asked</source>
        <translation>其所在函数不被划分，因此没有询问 %1</translation>
    </message>
    <message>
        <source>%1 accepted it before %2 was asked</source>
        <translation>在询问 %2 之前，%1 已接受它</translation>
    </message>
    <message>
        <source>calls were not placed, so %1 was not asked</source>
        <translation>调用未被分配，因此没有询问 %1</translation>
    </message>
    <message>
        <source>it matches, but %1 inside is already part of %2</source>
        <translation>匹配，但其中的 %1 已属于 %2</translation>
    </message>
    <message>
        <source>it matches, but the placement by cost gives not all of it to the backend</source>
        <translation>匹配，但按成本的分配没有把它全部给该后端</translation>
    </message>
    <message>
        <source>%1 inside is part of another match of the pattern</source>
        <translation>其中的 %1 属于该模式的另一个匹配</translation>
    </message>
    <message>
        <source>its patterns were not asked: the composite pass did not run</source>
        <translation>未询问其模式：复合遍没有运行</translation>
    </message>
    <message>
        <source>no recorded decision explains this: it is a fault of the program; please report it with the file, the backends and what explain --json prints</source>
        <translation>没有任何记录的决定能解释这一点：这是程序的错误；请附上文件、后端和 explain --json 的输出进行报告</translation>
    </message>
    <message>
        <source>the file has made functions of both already, which stay as they are</source>
        <translation>文件已将两者都做成函数，它们保持不变</translation>
    </message>
    <message>
        <source>the file has made a function of one of them already, which stays as it is</source>
        <translation>文件已将其中之一做成函数，它保持不变</translation>
    </message>
    <message>
        <source>they were merged, but the tuple at the end of the region was split into its values again</source>
        <translation>它们曾被合并，但区域末尾的元组又被拆成各个值</translation>
    </message>
    <message>
        <source>they could be merged now, but when this was decided, a path led out and back in through %1</source>
        <translation>现在它们可以合并，但在做决定时，有一条路径经 %1 出去又回来</translation>
    </message>
    <message>
        <source>the value passes through %1, and no region extends across a variable of let</source>
        <translation>该值经过 %1，而区域不会跨越 let 的变量</translation>
    </message>
    <message>
        <source>%1 → … (%2 expressions)</source>
        <translation>%1 → …（%2 个表达式）</translation>
    </message>
    <message>
        <source>an expression inside is used elsewhere, by %1</source>
        <translation>其中的一个表达式在别处被 %1 使用</translation>
    </message>
    <message>
        <source>%1 goes to %2: you assigned %3, which is inside its composite.</source>
        <translation>%1 去往 %2：您指定了其复合函数中的 %3。</translation>
    </message>
    <message>
        <source>%1 is not merged with %2: one of them calls a function that the file has divided already, which stays as it is.</source>
        <translation>%1 不与 %2 合并：其中之一调用文件已划分出的函数，该函数保持不变。</translation>
    </message>
    <message>
        <source>%1 passes through @%2 unchanged: a tuple at the end of a region is split, and this value of it comes from elsewhere.</source>
        <translation>%1 原样通过 @%2：区域末尾的元组被拆开，其中这个值来自别处。</translation>
    </message>
    <message>
        <source>the backend&apos;s rules keep them apart</source>
        <translation>后端的规则使它们分开</translation>
    </message>
    <message>
        <source>it matches, but the partitioner %1 does not put all of it into one region of the backend</source>
        <translation>它匹配，但划分器 %1 没有把它全部放入该后端的一个区域</translation>
    </message>
    <message>
        <source>the partitioner %1 recorded no reason</source>
        <translation>划分器 %1 没有记录原因</translation>
    </message>
    <message>
        <source>%1 and %2 are in different regions: %3.</source>
        <translation>%1 和 %2 在不同的区域：%3。</translation>
    </message>
    <message>
        <source>%1 is in no region: %2.</source>
        <translation>%1 不在任何区域：%2。</translation>
    </message>
    <message>
        <source>they were in one region, which depended on itself: %1 is behind what leaves it, %2 is not, and the region was cut between these two</source>
        <translation>它们原在同一区域，而该区域依赖自身：%1 在离开该区域的数据之后，%2 不在，因此在两者之间切开</translation>
    </message>
    <message>
        <source>each call is a region of its own</source>
        <translation>每个调用自成一个区域</translation>
    </message>
    <message>
        <source>the file of the division puts them apart</source>
        <translation>划分文件将它们分开</translation>
    </message>
    <message>
        <source>they are in different runs of the file&apos;s order: %1 stands between them and goes elsewhere</source>
        <translation>它们处于文件顺序的不同段：%1 在两者之间并去往别处</translation>
    </message>
    <message>
        <source>the provider takes single nodes, without groups</source>
        <translation>该提供程序逐个接收节点，不分组</translation>
    </message>
    <message>
        <source>they are in different waves of the provider: %1 comes after %2, which the provider does not take and which uses %3 of an earlier group</source>
        <translation>它们处于该提供程序的不同波次：%1 在 %2 之后，而 %2 不被该提供程序接收，并使用较早分组中的 %3</translation>
    </message>
    <message>
        <source>an epoch takes all that is ready: %1 was not ready yet when the epoch of %2 ended, for it waits for what the delegate does not take</source>
        <translation>一个周期接收所有就绪的节点：当 %2 的周期结束时 %1 尚未就绪，因为它在等待委托不接收的内容</translation>
    </message>
    <message>
        <source>an epoch ends at the first node that it can&apos;t take: that of %2 ended before %1</source>
        <translation>一个周期在第一个不能接收的节点处结束：%2 的周期在 %1 之前已结束</translation>
    </message>
    <message>
        <source>its epoch is not among those that are delegated: the largest ones, as the options n and min-nodes say</source>
        <translation>它的周期不在被委托的周期之列：只委托最大的周期，由选项 n 和 min-nodes 决定</translation>
    </message>
    <message>
        <source>%1 is outside their partitions, needs one of them and is needed by one of them: as one partition they would wait for themselves</source>
        <translation>%1 在它们的分区之外，需要其中之一，又被其中之一需要：合为一个分区就会等待自身</translation>
    </message>
    <message>
        <source>its partition has too few nodes that compute</source>
        <translation>它的分区中进行计算的节点太少</translation>
    </message>
    <message>
        <source>a pattern matches, but not in a dataflow block</source>
        <translation>有一个模式匹配，但不在数据流块之内</translation>
    </message>
    <message>
        <source>a pattern matches, but %1 is taken by an earlier match</source>
        <translation>有一个模式匹配，但 %1 已属于更早的匹配</translation>
    </message>
    <message>
        <source>a pattern matches, but the match would wait for itself through %1; TVM fails there</source>
        <translation>有一个模式匹配，但该匹配会经由 %1 等待自身；TVM 在此处失败</translation>
    </message>
    <message>
        <source>the argument&apos;s region is needed by another argument</source>
        <translation>另一个参数需要该参数的区域</translation>
    </message>
    <message>
        <source>the argument&apos;s region is needed by another argument, through %1</source>
        <translation>另一个参数经由 %1 需要该参数的区域</translation>
    </message>
    <message>
        <source>no pattern matches here, so that it is in no composite</source>
        <translation>此处没有模式匹配，因此它不属于任何复合函数</translation>
    </message>
    <message>
        <source>it is no argument of a composite of the same compiler: what stands between is in no composite</source>
        <translation>它不是同一编译器的复合函数的参数：两者之间的部分不属于任何复合函数</translation>
    </message>
    <message>
        <source>each region by itself: none differs from default, none was refused</source>
        <translation>逐个区域：没有与 default 不同的，也没有被拒绝的</translation>
    </message>
    <message>
        <source>each region by itself: %1 was refused</source>
        <translation>逐个区域：%1 被拒绝</translation>
    </message>
    <message>
        <source>each region by itself: %1 gives other values than default</source>
        <translation>逐个区域：%1 的值与 default 不同</translation>
    </message>
    <message>
        <source>the region alone</source>
        <translation>单独的区域</translation>
    </message>
    <message>
        <source>the fault is not seen when the region runs alone: its operators can&apos;t be told apart</source>
        <translation>区域单独运行时看不到错误：无法区分其中的算子</translation>
    </message>
    <message>
        <source>none differs, the fault depends on what is fused</source>
        <translation>没有不同，错误取决于哪些算子被融合</translation>
    </message>
    <message>
        <source>the region is refused so</source>
        <translation>这样区域被拒绝</translation>
    </message>
    <message>
        <source>%1 is wrong though its inputs are right</source>
        <translation>%1 出错，尽管其输入正确</translation>
    </message>
    <message>
        <source>every value of the region as an output: %1</source>
        <translation>区域的每个值都作为输出：%1</translation>
    </message>
    <message>
        <source>%1: the fault shows</source>
        <translation>%1：出现错误</translation>
    </message>
    <message>
        <source>%1: no fault</source>
        <translation>%1：没有错误</translation>
    </message>
    <message>
        <source>the first %1 operators</source>
        <translation>前 %1 个算子</translation>
    </message>
    <message>
        <source>the last %1 of these</source>
        <translation>其中最后 %1 个</translation>
    </message>
    <message>
        <source>without %1 of them</source>
        <translation>去掉其中 %1 个</translation>
    </message>
    <message>
        <source>the operators of %1 without their pattern</source>
        <translation>%1 的算子，不用模式</translation>
    </message>
    <message>
        <source>%1: no smaller part is refused</source>
        <translation>%1：没有更小的部分被拒绝</translation>
    </message>
    <message>
        <source>%1: no smaller part shows the fault</source>
        <translation>%1：没有更小的部分出现错误</translation>
    </message>
    <message>
        <source>%1: the fault shows in a region of it alone</source>
        <translation>%1：单独成为区域时出现错误</translation>
    </message>
    <message>
        <source>%1: no fault in a region of it alone</source>
        <translation>%1：单独成为区域时没有错误</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 等另外 %2 个</translation>
    </message>
    <message>
        <source>the file does not say why</source>
        <translation>文件没有说明原因</translation>
    </message>
    <message>
        <source>%1 put it there; the file does not say why</source>
        <translation>%1 把它放在那里；文件没有说明原因</translation>
    </message>
    <message>
        <source>%1 put it there</source>
        <translation>%1 把它放在那里</translation>
    </message>
    <message>
        <source>%1 put it there and says: %2</source>
        <translation>%1 把它放在那里，并说：%2</translation>
    </message>
    <message>
        <source>the file does not say where it went; %1 says: %2</source>
        <translation>文件没有说明它去了哪里；%1 说：%2</translation>
    </message>
    <message>
        <source>the file does not say where it went</source>
        <translation>文件没有说明它去了哪里</translation>
    </message>
    <message>
        <source>inverted: %1</source>
        <translation>取反：%1</translation>
    </message>
    <message>
        <source>the budget of the provider ends before it</source>
        <translation>提供程序的预算在它之前用完</translation>
    </message>
    <message>
        <source>its rules are about the file&apos;s operators, and none of them became this</source>
        <translation>它的规则针对文件中的算子，而没有一个算子变成了这个</translation>
    </message>
    <message>
        <source>the division, as `divide --json` prints one</source>
        <translation>划分，格式同 `divide --json` 的输出</translation>
    </message>
    <message>
        <source>providers that take single nodes instead of compiling groups, such as CUDA</source>
        <translation>逐个接受节点而非编译成组的提供者，例如 CUDA</translation>
    </message>
    <message>
        <source>whether a node with its DequantizeLinear before and its QuantizeLinear behind is asked for as one (QNN, NNAPI, XNNPACK)</source>
        <translation>节点与其前的 DequantizeLinear、其后的 QuantizeLinear 是否作为一体询问（QNN、NNAPI、XNNPACK）</translation>
    </message>
    <message>
        <source>what session.resource_cuda_partitioning_settings is set to: CUDAExecutionProvider takes nodes, in order, up to the first that does not fit; KIB or FILE, its node statistics, may be empty, the comma is needed</source>
        <translation>session.resource_cuda_partitioning_settings 的取值：CUDAExecutionProvider 按顺序接受节点，直到第一个放不下的为止；KIB 或 FILE（节点统计）可以为空，逗号不可省</translation>
    </message>
    <message>
        <source>operators that a provider does not take, nor anything behind them</source>
        <translation>提供者不接受的算子，其后的一切也不接受</translation>
    </message>
    <message>
        <source>whether a fused node has constants among its inputs (plug-in providers) or not (the others)</source>
        <translation>融合节点的输入中是否有常量（插件提供者有，其他没有）</translation>
    </message>
    <message>
        <source>how many of the largest epochs are delegated</source>
        <translation>委托最大的几个段</translation>
    </message>
    <message>
        <source>epochs of fewer nodes are not delegated</source>
        <translation>节点数更少的段不委托</translation>
    </message>
    <message>
        <source>a JSON object of numbers by nodes, such as times: the n epochs of the largest sums, not those of most nodes (no delegate of LiteRT counts so)</source>
        <translation>按节点给出数字（如时间）的 JSON 对象：取总和最大的 n 段，而非节点最多的 n 段（LiteRT 的委托都不这样计）</translation>
    </message>
    <message>
        <source>whether an epoch takes what is ready, or ends at the first node that it can&apos;t take</source>
        <translation>一段是接受一切就绪的节点，还是在第一个不能接受的节点处结束</translation>
    </message>
    <message>
        <source>whether constants of 16 bits are read as they are, behind a DEQUANTIZE (GPU, NNAPI, Core ML)</source>
        <translation>是否越过 DEQUANTIZE 直接读取 16 位常量（GPU、NNAPI、Core ML）</translation>
    </message>
    <message>
        <source>whether the runs are those of the file&apos;s order, or of the order that gives the fewest (no tool of LiteRT&apos;s reorders)</source>
        <translation>按文件顺序分段，还是按段数最少的顺序（LiteRT 的工具都不重排）</translation>
    </message>
    <message>
        <source>which release&apos;s text is played</source>
        <translation>按哪个版本的源码执行</translation>
    </message>
    <message>
        <source>whether nodes that don&apos;t use each other may be one partition (no: main only)</source>
        <translation>互不使用的节点能否同属一个分区（no 仅限 main）</translation>
    </message>
    <message>
        <source>whether a partition of one computing node is kept</source>
        <translation>是否保留只有一个计算节点的分区</translation>
    </message>
    <message>
        <source>operators that don&apos;t count as computing; a view, as 1.13 names it, and getitem never do</source>
        <translation>不算作计算的算子；view（1.13 的名称）与 getitem 从不算</translation>
    </message>
    <message>
        <source>operators that are worth a partition of their own</source>
        <translation>值得单独成区的算子</translation>
    </message>
    <message>
        <source>JSON: a list of lists of nodes that are to stay together</source>
        <translation>JSON：由应保持在一起的节点列表组成的列表</translation>
    </message>
    <message>
        <source>parts of fewer nodes are left to PyTorch; 5 if it is not given</source>
        <translation>节点数更少的部分留给 PyTorch；缺省为 5</translation>
    </message>
    <message>
        <source>torch.fx&apos;s splitter, or its CapabilityBasedPartitioner</source>
        <translation>torch.fx 的 splitter，或其 CapabilityBasedPartitioner</translation>
    </message>
    <message>
        <source>whose rule for tuples: up to 0.25 a tuple ends a region, from 0.26 on it may be inside</source>
        <translation>元组按哪个版本的规则：0.25 及以前元组结束一个区域，0.26 起可在区域内</translation>
    </message>
    <message>
        <source>whether each match is a region of its own (yes), or matches merge</source>
        <translation>每个匹配自成一区（yes），还是合并</translation>
    </message>
    <message>
        <source>whether constants stay in a composite or become parameters of it</source>
        <translation>常量留在组合内还是成为其参数</translation>
    </message>
    <message>
        <source>its check is false</source>
        <translation>其检查为假</translation>
    </message>
    <message>
        <source>the file has it in a composite for a compiler that is no backend here</source>
        <translation>文件把它放在复合函数中，而该函数所属的编译器在此不是后端</translation>
    </message>
    <message>
        <source>the division that was given leaves it out</source>
        <translation>给定的划分没有包含它</translation>
    </message>
    <message>
        <source>the division that was given has it there</source>
        <translation>给定的划分把它放在那里</translation>
    </message>
    <message>
        <source>%1 goes to %2: %3.</source>
        <translation>%1 归 %2：%3。</translation>
    </message>
    <message>
        <source>the division that was given, with the changes by hand, puts them apart</source>
        <translation>给定的划分加上手动更改把它们分开</translation>
    </message>
    <message>
        <source>%1 stands between them in the file, and became no call here</source>
        <translation>文件中 %1 在它们之间，但在这里没有成为调用</translation>
    </message>
    <message>
        <source>they are in different graphs of the file, as a loop&apos;s body is one</source>
        <translation>它们在文件的不同图中，例如循环体就是一个图</translation>
    </message>
    <message>
        <source>it is a part of the file&apos;s node %1, which goes there as a whole</source>
        <translation>它是文件节点 %1 的一部分，该节点整体归那里</translation>
    </message>
    <message>
        <source>the nodes of the file are divided, and this is none of them by itself</source>
        <translation>划分的是文件的节点，而它本身不是其中之一</translation>
    </message>
    <message>
        <source>PyTorch ended the search for this partition at %1 and did not come to the other</source>
        <translation>PyTorch 对该分区的搜索在 %1 处结束，没有到达另一个</translation>
    </message>
    <message>
        <source>%1 is not taken and comes between them: taken nodes and others are collected in turns</source>
        <translation>%1 未被接受且位于其间：被接受的节点与其他节点轮流收集</translation>
    </message>
    <message>
        <source>it joined the partition of %1: of two that depend on each other PyTorch 1.13 takes one</source>
        <translation>它加入了 %1 的分区：对于相互依赖的两个分区，PyTorch 1.13 只取其一</translation>
    </message>
    <message>
        <source>PyTorch ended the search for this partition at an input or a weight and did not come to the other</source>
        <translation>PyTorch 对该分区的搜索在某个输入或权重处结束，没有到达另一个</translation>
    </message>
    <message>
        <source>a pattern matches, but %1 is given elsewhere by hand</source>
        <translation>模式匹配，但 %1 已手动分配到别处</translation>
    </message>
    <message>
        <source>it is in a branch, which is no dataflow block</source>
        <translation>它在分支中，而分支不是 dataflow 块</translation>
    </message>
    <message>
        <source>as one region they would wait for themselves, so that it was taken apart</source>
        <translation>作为一个区域它们会等待自身，因此被拆开</translation>
    </message>
    <message>
        <source>a pattern matches, but the region of %1 exceeds the limits</source>
        <translation>模式匹配，但 %1 所在的区域超出限制</translation>
    </message>
    <message>
        <source>you gave other calls of the file&apos;s node %1 elsewhere: it goes to none</source>
        <translation>您把文件节点 %1 的其他调用分配到了别处：它不归任何后端</translation>
    </message>
    <message>
        <source>the file&apos;s node %1 goes as a whole, and %2 is not accepted</source>
        <translation>文件的节点 %1 作为整体放置，而 %2 未被接受</translation>
    </message>
    <message>
        <source>qnn.requantize, which rounds halves to even here, became arithmetic</source>
        <translation>qnn.requantize 在此把一半舍入到偶数，已改写为算术运算</translation>
    </message>
    <message>
        <source>float16 for every float32 constant</source>
        <translation>所有 float32 常量用 float16</translation>
    </message>
    <message>
        <source>float16 for the constants of %1</source>
        <translation>%1 的常量用 float16</translation>
    </message>
    <message>
        <source>float16 for the constant %1</source>
        <translation>常量 %1 用 float16</translation>
    </message>
</context>
<context>
    <name>Fields</name>
    <message>
        <source>%1… (too long to be changed here)</source>
        <translation>%1…（太长，无法在此修改）</translation>
    </message>
</context>
<context>
    <name>Inputs</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Functions</source>
        <translation>函数</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Constants</source>
        <translation>常量</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>计算量</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n 个调用</numerusform>
        </translation>
    </message>
    <message>
        <source>Select an operator to see its attributes, types, and why it goes where it goes.</source>
        <translation>选择一个算子，查看其属性、类型以及分配的后端和原因。</translation>
    </message>
    <message>
        <source>Coverage</source>
        <translation>覆盖率</translation>
    </message>
    <message>
        <source>%1 of %2 calls (%3)</source>
        <translation>%2 个调用中的 %1 个（%3）</translation>
    </message>
    <message>
        <source>Regions</source>
        <translation>区域</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>区域</translation>
    </message>
    <message numerus="yes">
        <source>%n expression(s)</source>
        <translation>
            <numerusform>%n 个表达式</numerusform>
        </translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Used by</source>
        <translation>使用者</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Nothing was decided yet: annotate, or give it to a backend.</source>
        <translation>尚无决定：请标注，或将其交给某个后端。</translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>已选 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>Backends</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Press 0 to 9 to give them to a backend, A to leave them to the rules.</source>
        <translation>按 0 到 9 交给后端，按 A 交还规则。</translation>
    </message>
    <message>
        <source>It goes to %1, where its operands go.</source>
        <translation>随其操作数分配到 %1。</translation>
    </message>
    <message>
        <source>Rules apply to calls only.</source>
        <translation>规则只针对调用。</translation>
    </message>
    <message>
        <source>The file&apos;s own annotations say so.</source>
        <translation>由文件自带的标注决定。</translation>
    </message>
    <message>
        <source>Rules were not asked: annotate lets them decide.</source>
        <translation>尚未询问规则：标注后由规则决定。</translation>
    </message>
    <message>
        <source>No backend is chosen.</source>
        <translation>未选择后端。</translation>
    </message>
    <message>
        <source>It goes to %1</source>
        <translation>分配到 %1</translation>
    </message>
    <message>
        <source>It does not go to %1</source>
        <translation>未分配到 %1</translation>
    </message>
    <message>
        <source>%1: it is part of %2.</source>
        <translation>%1：它属于 %2。</translation>
    </message>
    <message>
        <source>%1: %2 accepts it.</source>
        <translation>%1：%2 接受它。</translation>
    </message>
    <message>
        <source>%1 of %2 accepts it, but it went elsewhere.</source>
        <translation>%2 的 %1 接受它，但它已分配到别处。</translation>
    </message>
    <message>
        <source>%1: %2 refuses it.</source>
        <translation>%1：%2 拒绝它。</translation>
    </message>
    <message>
        <source>pattern %1: %2</source>
        <translation>模式 %1：%2</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>or</source>
        <translation>或</translation>
    </message>
    <message>
        <source>%1 is %2</source>
        <translation>%1 是 %2</translation>
    </message>
    <message>
        <source>Neighbouring regions</source>
        <translation>相邻区域</translation>
    </message>
    <message>
        <source>%1 feeds it</source>
        <translation>%1 向它供给数据</translation>
    </message>
    <message>
        <source>It feeds %1</source>
        <translation>它向 %1 供给数据</translation>
    </message>
    <message>
        <source>%1: they go to different backends.</source>
        <translation>%1：它们分配到不同的后端。</translation>
    </message>
    <message>
        <source>together they would depend on themselves, through</source>
        <translation>合并后会依赖自身，经由</translation>
    </message>
    <message>
        <source>calls on default are taken together as regions too, and through those a path leads back in</source>
        <translation>default 上的调用也会合成区域，并经由它们有路径返回</translation>
    </message>
    <message numerus="yes">
        <source>… (%n expression(s))</source>
        <translation>
            <numerusform>…（%n 个表达式）</numerusform>
        </translation>
    </message>
    <message>
        <source>show the path</source>
        <translation>显示路径</translation>
    </message>
    <message>
        <source>pattern %1: it matches, but its check is false</source>
        <translation>模式 %1：匹配，但其检查为假</translation>
    </message>
    <message>
        <source>write one</source>
        <translation>编写一条</translation>
    </message>
    <message>
        <source>show the cycle</source>
        <translation>显示环</translation>
    </message>
    <message>
        <source>Patterns that do not fit</source>
        <translation>不匹配的模式</translation>
    </message>
    <message>
        <source>(function call)</source>
        <translation>（函数调用）</translation>
    </message>
    <message>
        <source>By its rules it would not go to %1</source>
        <translation>按其规则本不会分配到 %1</translation>
    </message>
    <message>
        <source>%1: the whole match of %2 went elsewhere.</source>
        <translation>%1：%2 的整个匹配已分配到别处。</translation>
    </message>
    <message>
        <source>By time</source>
        <translation>按时间</translation>
    </message>
    <message>
        <source>It is on %1. What a run takes more or less with it elsewhere, by the costs that were measured:</source>
        <translation>它在 %1 上。按测得的开销，若放在别处，一次运行多用或少用的时间：</translation>
    </message>
    <message>
        <source>No rule of %1 takes it.</source>
        <translation>%1 没有接受它的规则。</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>另有 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 on %2: %3</source>
        <translation>%1 在 %2 上：%3</translation>
    </message>
    <message>
        <source>%1 between regions of %2: %3</source>
        <translation>%1 在 %2 的区域之间：%3</translation>
    </message>
    <message>
        <source>%1 from %2 to %3: %4</source>
        <translation>%1 从 %2 到 %3：%4</translation>
    </message>
    <message>
        <source>within the noise</source>
        <translation>在噪声范围内</translation>
    </message>
    <message>
        <source>alone %1</source>
        <translation>单独 %1</translation>
    </message>
    <message>
        <source>Move it</source>
        <translation>移动</translation>
    </message>
    <message>
        <source>with others %1</source>
        <translation>连同其他 %1</translation>
    </message>
    <message>
        <source>Move with others</source>
        <translation>连同其他移动</translation>
    </message>
    <message>
        <source>now: %1</source>
        <translation>现在：%1</translation>
    </message>
    <message>
        <source>then: %1</source>
        <translation>之后：%1</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>注释</translation>
    </message>
    <message>
        <source>%1 laid out anew for %2: %3</source>
        <translation>%1 为 %2 重新布局：%3</translation>
    </message>
    <message>
        <source>Moved alone, it changes nothing: the graph is divided as before.</source>
        <translation>单独移动不改变任何东西：图的划分与之前相同。</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>It goes to %1: the placement by time puts it there.</source>
        <translation>它归 %1：按时间的放置把它放在那里。</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>It is in no region: %1.</source>
        <translation>它不在任何区域：%1。</translation>
    </message>
    <message>
        <source>not kept</source>
        <translation>未保留</translation>
    </message>
    <message>
        <source>Patterns with such an operator</source>
        <translation>含此类算子的模式</translation>
    </message>
    <message>
        <source>%1, as %2: %3 of %4 operators; %5</source>
        <translation>%1，作为 %2：%4 个算子中有 %3 个；%5</translation>
    </message>
</context>
<context>
    <name>Prediction</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Region %1 is right: %2.</source>
        <translation>区域 %1 正确：%2。</translation>
    </message>
    <message>
        <source>Taken by %1.</source>
        <translation>由 %1 接收。</translation>
    </message>
    <message>
        <source>Not marked: %1 is a region of its own (%2). %3</source>
        <translation>未标记：%1 自成一个区域 (%2)。%3</translation>
    </message>
    <message>
        <source>Not marked: %1 are a region (%2). %3</source>
        <translation>未标记：%1 构成一个区域 (%2)。%3</translation>
    </message>
    <message>
        <source>%1 belong together (%2), but stand in regions %3: all go to %4, edges join them, and no path leaves them and comes back.</source>
        <translation>%1 属于一体 (%2)，却分在区域 %3 中：它们都交给 %4，有边相连，且没有路径离开后又返回。</translation>
    </message>
    <message>
        <source>On default: %1. %2</source>
        <translation>留在 default：%1。%2</translation>
    </message>
    <message>
        <source>Region %1 is two: %2 (%3) and %4 (%5). %6</source>
        <translation>区域 %1 实为两个：%2 (%3) 和 %4 (%5)。%6</translation>
    </message>
    <message>
        <source>A region has one backend: these go to %1 and %2.</source>
        <translation>一个区域只有一个后端：它们分别交给 %1 和 %2。</translation>
    </message>
    <message>
        <source>No edge joins them: regions grow along edges.</source>
        <translation>没有边相连：区域沿着边生长。</translation>
    </message>
    <message>
        <source>Together they would depend on themselves: %1.</source>
        <translation>合在一起就会依赖自身：%1。</translation>
    </message>
    <message>
        <source>Missing in region %1: %2, also taken by %3 and joined to the rest by edges.</source>
        <translation>区域 %1 中缺少：%2，同样由 %3 接受，并通过边与其余部分相连。</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>%1 nodes</source>
        <translation>%1 个节点</translation>
    </message>
    <message>
        <source>Nodes %1–%2</source>
        <translation>节点 %1–%2</translation>
    </message>
    <message>
        <source>Block %1</source>
        <translation>块 %1</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>%1, %2 alike</source>
        <translation>%1，%2 个相同</translation>
    </message>
    <message>
        <source>block %1</source>
        <translation>块 %1</translation>
    </message>
    <message>
        <source>%1 alike</source>
        <translation>%1 个相同</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 及另外 %2 个</translation>
    </message>
    <message>
        <source>wired in another way</source>
        <translation>连接方式不同</translation>
    </message>
    <message>
        <source>%1 more %2</source>
        <translation>多 %1 个 %2</translation>
    </message>
    <message>
        <source>%1 fewer %2</source>
        <translation>少 %1 个 %2</translation>
    </message>
</context>
<context>
    <name>SavePath</name>
    <message>
        <source>%1 exists already. Replace it?</source>
        <translation>%1 已存在。要替换吗？</translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>See and change how a neural network is divided among compilers.</source>
        <translation>查看并修改神经网络在各编译器之间的划分。</translation>
    </message>
    <message>
        <source>--%1 &apos;%2&apos;: expected %3</source>
        <translation>--%1 “%2”：应为 %3</translation>
    </message>
    <message>
        <source>--time-first-picture needs a FILE</source>
        <translation>--time-first-picture 需要一个文件（FILE）</translation>
    </message>
    <message>
        <source>no such command now: %1</source>
        <translation>现在没有这个命令：%1</translation>
    </message>
    <message>
        <source>can&apos;t write %1</source>
        <translation>无法写入 %1</translation>
    </message>
    <message>
        <source>Relay text, ONNX or a project to open, or a link (partita:...); two are compared</source>
        <translation>要打开的 Relay 文本、ONNX、工程或链接（partita:...）；两个文件则进行比较</translation>
    </message>
</context>
<context>
    <name>open_document</name>
    <message>
        <source>Modules (%1);;All files (*)</source>
        <translation>模块 (%1);;所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>partita::AnnotatorStarter</name>
    <message>
        <source>Starting the rules of %1</source>
        <translation>正在启动 %1 的规则</translation>
    </message>
    <message>
        <source>Reading rules</source>
        <translation>正在读取规则</translation>
    </message>
    <message>
        <source>Rules changed</source>
        <translation>规则已更改</translation>
    </message>
    <message>
        <source>Run it</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>It can do on this machine whatever you can. You are asked once for each content.</source>
        <translation>它在本机上可以做您能做的一切。每种内容只询问一次。</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>暂不</translation>
    </message>
    <message>
        <source>The rules that ran stay as they are</source>
        <translation>之前运行的规则保持不变</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt;, or a file that it imports, has a new text, which does not run yet.</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; 或它导入的文件有新文本，尚未运行。</translation>
    </message>
    <message>
        <source>Start them</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>The rules of &lt;b&gt;%1&lt;/b&gt; do not run.</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; 的规则未运行。</translation>
    </message>
</context>
<context>
    <name>partita::AskDialog</name>
    <message>
        <source>Why it was refused</source>
        <translation>为何被拒绝</translation>
    </message>
</context>
<context>
    <name>partita::AttributeFields</name>
    <message>
        <source>Default: %1</source>
        <translation>默认：%1</translation>
    </message>
    <message>
        <source>as the operands</source>
        <translation>与操作数相同</translation>
    </message>
    <message>
        <source>for example 1, 1</source>
        <translation>例如 1, 1</translation>
    </message>
    <message>
        <source>different values</source>
        <translation>值不同</translation>
    </message>
    <message>
        <source>Refused: %1</source>
        <translation>被拒绝：%1</translation>
    </message>
</context>
<context>
    <name>partita::BackendMenu</name>
    <message>
        <source>&amp;Backend</source>
        <translation>后端(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Edit rules</source>
        <translation>编辑规则(&amp;E)</translation>
    </message>
    <message>
        <source>Ctrl+Shift+R</source>
        <translation>Ctrl+Shift+R</translation>
    </message>
    <message>
        <source>Change a backend&apos;s rules and see at once what moves</source>
        <translation>修改后端规则并立即查看变化</translation>
    </message>
    <message>
        <source>C&amp;overage</source>
        <translation>覆盖率(&amp;O)</translation>
    </message>
    <message>
        <source>Ctrl+Shift+V</source>
        <translation>Ctrl+Shift+V</translation>
    </message>
    <message>
        <source>What goes where, what keeps the rest away, and what would change that</source>
        <translation>各部分的去向、其余受阻的原因以及如何改变</translation>
    </message>
    <message>
        <source>Co&amp;de of the region</source>
        <translation>区域的代码(&amp;D)</translation>
    </message>
    <message>
        <source>Ctrl+Shift+K</source>
        <translation>Ctrl+Shift+K</translation>
    </message>
    <message>
        <source>The source that is made of the region of what is selected, or what its backend is given</source>
        <translation>由所选算子所在区域生成的源代码，或交给其后端的内容</translation>
    </message>
    <message>
        <source>&amp;Split off as a region of its own</source>
        <translation>拆为独立区域(&amp;S)</translation>
    </message>
    <message>
        <source>The selection no longer merges with the rest of its region</source>
        <translation>所选不再与其区域的其余部分合并</translation>
    </message>
    <message>
        <source>&amp;Join into one region</source>
        <translation>连接为一个区域(&amp;J)</translation>
    </message>
    <message>
        <source>The selection goes to the backend of its first operator that has one, and may merge again</source>
        <translation>所选归入其中第一个有后端的算子的后端，并可重新合并</translation>
    </message>
    <message>
        <source>&amp;Choose backends…</source>
        <translation>选择后端(&amp;C)…</translation>
    </message>
    <message>
        <source>Ctrl+B</source>
        <translation>Ctrl+B</translation>
    </message>
    <message>
        <source>Which backends, in which order; add one from a file</source>
        <translation>选用哪些后端及其顺序；可从文件添加</translation>
    </message>
    <message>
        <source>For s&amp;peed</source>
        <translation>求快(&amp;P)</translation>
    </message>
    <message>
        <source>Ctrl+Alt+S</source>
        <translation>Ctrl+Alt+S</translation>
    </message>
    <message>
        <source>dnnl_all takes all that oneDNN can run, ccompiler_wide the rest as generated C; a model begins with these while none were chosen</source>
        <translation>dnnl_all 接受 oneDNN 能运行的一切，其余由 ccompiler_wide 以生成的 C 运行；在没有选择后端时，模型以这两个开始</translation>
    </message>
    <message>
        <source>backends for speed</source>
        <translation>求快的后端</translation>
    </message>
    <message>
        <source>As in &amp;TVM</source>
        <translation>与 TVM 一致(&amp;T)</translation>
    </message>
    <message>
        <source>Ctrl+Alt+T</source>
        <translation>Ctrl+Alt+T</translation>
    </message>
    <message>
        <source>dnnl and ccompiler take what TVM 0.9 gives them; Relay text begins with these while none were chosen</source>
        <translation>dnnl 和 ccompiler 接受 TVM 0.9 交给它们的算子；在没有选择后端时，Relay 文本以这两个开始</translation>
    </message>
    <message>
        <source>backends as in TVM</source>
        <translation>与 TVM 一致的后端</translation>
    </message>
    <message>
        <source>Leave to the &amp;rules</source>
        <translation>交还规则(&amp;R)</translation>
    </message>
    <message>
        <source>Take back what was given by hand</source>
        <translation>撤回手动指定</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Give the selection to %1</source>
        <translation>把所选交给 %1</translation>
    </message>
    <message>
        <source>&amp;Make rules of the division</source>
        <translation>由划分生成规则(&amp;M)</translation>
    </message>
    <message>
        <source>The shortest rules that say the same of each operator as the division, for the backend of what is selected, or the only one</source>
        <translation>对每个算子与划分说法相同的最短规则，针对所选内容所在的后端，或唯一的后端</translation>
    </message>
    <message>
        <source>Compare rules on &amp;models…</source>
        <translation>在模型上比较规则(&amp;M)…</translation>
    </message>
    <message>
        <source>What the rules, as they stand here, change against those before on a folder of models</source>
        <translation>当前的规则与之前的规则相比，在一个文件夹的模型上改变什么</translation>
    </message>
</context>
<context>
    <name>partita::BackendsDialog</name>
    <message>
        <source>its rules are a program that has not run yet</source>
        <translation>其规则是一个尚未运行的程序</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>提前</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>推后</translation>
    </message>
    <message>
        <source>Backends</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Backends in order of priority</source>
        <translation>按优先级排列的后端</translation>
    </message>
    <message>
        <source>Add a file…</source>
        <translation>添加文件…</translation>
    </message>
    <message>
        <source>Add a backend</source>
        <translation>添加后端</translation>
    </message>
    <message>
        <source>Not a backend description</source>
        <translation>不是后端描述</translation>
    </message>
    <message>
        <source>The name is taken</source>
        <translation>名称已被占用</translation>
    </message>
    <message numerus="yes">
        <source>%n operator(s)</source>
        <translation>
            <numerusform>%n 个算子</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pattern(s)</source>
        <translation>
            <numerusform>%n 个模式</numerusform>
        </translation>
    </message>
    <message>
        <source>executed by %1</source>
        <translation>由 %1 执行</translation>
    </message>
    <message>
        <source>Backends are asked from top to bottom; an operator goes to the first whose rules accept it. What is opened next begins with the same ones.</source>
        <translation>自上而下询问各后端；算子交给第一个规则接受它的后端。接下来打开的文件也使用这些后端。</translation>
    </message>
    <message>
        <source>It ships with the program, or is not saved yet.</source>
        <translation>它随程序提供，或尚未保存。</translation>
    </message>
    <message>
        <source>It is from %1.</source>
        <translation>它来自 %1。</translation>
    </message>
    <message>
        <source>There is a backend named %1 already. %2
Give one of the two another &quot;name&quot;.</source>
        <translation>已有名为 %1 的后端。%2
请给其中一个换一个 &quot;name&quot;。</translation>
    </message>
    <message>
        <source>Backend descriptions (*.json *.py);;All files (*)</source>
        <translation>后端描述 (*.json *.py);;所有文件 (*)</translation>
    </message>
    <message>
        <source>For &amp;speed</source>
        <translation>追求速度(&amp;S)</translation>
    </message>
    <message>
        <source>dnnl_all takes all that oneDNN can run, ccompiler_wide the rest as generated C</source>
        <translation>dnnl_all 接受 oneDNN 能运行的一切，其余由 ccompiler_wide 以生成的 C 运行</translation>
    </message>
    <message>
        <source>As in &amp;TVM</source>
        <translation>与 &amp;TVM 相同</translation>
    </message>
    <message>
        <source>dnnl and ccompiler take what TVM 0.9 gives them: few operators, as lessons and books show it</source>
        <translation>dnnl 和 ccompiler 接受 TVM 0.9 交给它们的算子：数量不多，与课程和书中所示相同</translation>
    </message>
</context>
<context>
    <name>partita::Bisecting</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 等另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>The search was cancelled</source>
        <translation>搜索已取消</translation>
    </message>
    <message>
        <source>The search is going on</source>
        <translation>正在搜索</translation>
    </message>
    <message>
        <source>Nothing goes to a backend: annotate first (F6)</source>
        <translation>没有任何算子交给后端：请先标注 (F6)</translation>
    </message>
    <message>
        <source>The module is being divided</source>
        <translation>正在划分模块</translation>
    </message>
    <message>
        <source>Bisecting</source>
        <translation>正在二分查找</translation>
    </message>
    <message>
        <source>The module was changed during the search</source>
        <translation>搜索期间模块已被更改</translation>
    </message>
    <message>
        <source>No region differs from default, and none was refused</source>
        <translation>没有区域与 default 不同，也没有被拒绝的</translation>
    </message>
    <message numerus="yes">
        <source>Found after %n run(s): %1</source>
        <translation>
            <numerusform>运行 %n 次后找到：%1</numerusform>
        </translation>
    </message>
    <message>
        <source>Bisect</source>
        <translation>二分查找</translation>
    </message>
    <message>
        <source>The compiler of %1 refuses %2</source>
        <translation>%1 的编译器拒绝 %2</translation>
    </message>
    <message>
        <source>Of %1, this is not what default computes: %2</source>
        <translation>在 %1 中，与 default 的计算不同的是：%2</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>A step selects its operators on the graph</source>
        <translation>选择步骤会在图中选中其算子</translation>
    </message>
    <message>
        <source>&amp;Save the smallest region…</source>
        <translation>保存最小区域(&amp;S)…</translation>
    </message>
    <message>
        <source>A module with its inputs, for those who wrote the backend</source>
        <translation>带输入的模块，供后端作者使用</translation>
    </message>
    <message>
        <source>A folder for the module and its inputs</source>
        <translation>存放模块及其输入的文件夹</translation>
    </message>
    <message>
        <source>Saved in %1</source>
        <translation>已保存到 %1</translation>
    </message>
</context>
<context>
    <name>partita::BreakpointQuestion</name>
    <message>
        <source>Stop only where</source>
        <translation>仅在以下情况停下</translation>
    </message>
    <message>
        <source>The breakpoint on %1 stops at calls for which this holds, such as attrs.groups &gt; 1 &amp;&amp; args[0].shape[1] == 96. Empty: at all.</source>
        <translation>%1 处的断点在满足此条件的调用处停下，例如 attrs.groups &gt; 1 &amp;&amp; args[0].shape[1] == 96。留空：在所有调用处。</translation>
    </message>
    <message>
        <source>line %1</source>
        <translation>第 %1 行</translation>
    </message>
</context>
<context>
    <name>partita::BudgetField</name>
    <message>
        <source>Budget in KiB</source>
        <translation>预算（KiB）</translation>
    </message>
    <message>
        <source>Node statistics (CSV); none: an estimate</source>
        <translation>节点统计（CSV）；留空则估计</translation>
    </message>
    <message>
        <source>Node statistics</source>
        <translation>节点统计</translation>
    </message>
    <message>
        <source>C&amp;hoose…</source>
        <translation>选择(&amp;H)…</translation>
    </message>
    <message>
        <source>Co&amp;py</source>
        <translation>复制(&amp;P)</translation>
    </message>
    <message>
        <source>Copy the setting of ONNX Runtime that says the same</source>
        <translation>复制含义相同的 ONNX Runtime 设置</translation>
    </message>
    <message>
        <source>no budget</source>
        <translation>无预算</translation>
    </message>
    <message>
        <source>Only a backend of the name CUDAExecutionProvider has a budget</source>
        <translation>只有名为 CUDAExecutionProvider 的后端才有预算</translation>
    </message>
    <message numerus="yes">
        <source>%n operator(s) behind the end of the budget</source>
        <translation>
            <numerusform>预算耗尽之后的 %n 个算子</numerusform>
        </translation>
    </message>
    <message>
        <source>Tables (*.csv);;All files (*)</source>
        <translation>表格 (*.csv);;所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>partita::CallTrace</name>
    <message>
        <source>accepted</source>
        <translation>接受</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>without a condition</source>
        <translation>没有条件</translation>
    </message>
    <message>
        <source>No backend has a rule for it.</source>
        <translation>没有后端有针对它的规则。</translation>
    </message>
    <message>
        <source>Rules were not asked: annotate first (F6)</source>
        <translation>未询问规则：请先标注 (F6)</translation>
    </message>
    <message>
        <source>Select an operator first</source>
        <translation>请先选择一个算子</translation>
    </message>
    <message>
        <source>What was asked about %1</source>
        <translation>关于 %1 的询问</translation>
    </message>
    <message>
        <source>Asking the rules</source>
        <translation>正在询问规则</translation>
    </message>
    <message>
        <source>What the rules were asked</source>
        <translation>向规则询问的内容</translation>
    </message>
</context>
<context>
    <name>partita::ClaimEditor</name>
    <message>
        <source>What the text says of the graph. Divide it in the window as the text has it, and press what is so: it is checked whenever the lesson is.</source>
        <translation>课文对计算图的说法。在窗口中按课文划分计算图，再按下成立的一项：每次检查课程时都会核对。</translation>
    </message>
    <message>
        <source>Number of regions</source>
        <translation>区域数</translation>
    </message>
    <message>
        <source>Bytes across boundaries</source>
        <translation>跨边界的字节数</translation>
    </message>
    <message>
        <source>Regions of the selection</source>
        <translation>所选算子的区域</translation>
    </message>
    <message>
        <source>Which of the selected operators are in one region, and which are not</source>
        <translation>所选算子中哪些在同一区域，哪些不在</translation>
    </message>
    <message>
        <source>Backends of the selection</source>
        <translation>所选算子的后端</translation>
    </message>
    <message>
        <source>Faster than…</source>
        <translation>快于…</translation>
    </message>
    <message>
        <source>The graph as it is divided now, measured beside another division</source>
        <translation>将当前的划分与另一种划分一起测量</translation>
    </message>
    <message>
        <source>divided by the rules</source>
        <translation>按规则划分</translation>
    </message>
    <message>
        <source>number of regions</source>
        <translation>区域数</translation>
    </message>
    <message>
        <source>bytes across boundaries</source>
        <translation>跨边界的字节数</translation>
    </message>
    <message>
        <source>%1 are in one region</source>
        <translation>%1 在同一区域</translation>
    </message>
    <message>
        <source>%1 are in different regions</source>
        <translation>%1 在不同区域</translation>
    </message>
    <message>
        <source>so many times as fast as %1</source>
        <translation>速度为“%1”的若干倍</translation>
    </message>
    <message>
        <source>Another graph is open than the lesson&apos;s</source>
        <translation>打开的不是本课的计算图</translation>
    </message>
    <message>
        <source>Select operators on the graph first</source>
        <translation>请先在图上选择算子</translation>
    </message>
    <message>
        <source>Than now</source>
        <translation>比当前</translation>
    </message>
    <message>
        <source>What the window shows now is the slower one</source>
        <translation>窗口当前显示的是较慢的一种</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Run both, some seconds long</source>
        <translation>两者都运行数秒</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
</context>
<context>
    <name>partita::CodePanel</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the whole text</source>
        <translation>复制全部文本</translation>
    </message>
    <message>
        <source>Code of the region</source>
        <translation>区域的代码</translation>
    </message>
    <message>
        <source>Partition first (F8): each region then is a function, and its code stands here.</source>
        <translation>请先划分（F8）：此后每个区域都是一个函数，其代码显示在此处。</translation>
    </message>
    <message>
        <source>Select an operator of a region: the code of the region stands here.</source>
        <translation>请选择区域中的一个算子：此处显示该区域的代码。</translation>
    </message>
    <message>
        <source>Writing the code of a region</source>
        <translation>正在生成区域的代码</translation>
    </message>
    <message>
        <source>%1: the C source that %2 compiles</source>
        <translation>%1：由 %2 编译的 C 源代码</translation>
    </message>
    <message>
        <source>%1: Partita makes no code for it, but gives %2 the region as this JSON</source>
        <translation>%1：Partita 不为其生成代码，而是把区域以此 JSON 交给 %2</translation>
    </message>
    <message>
        <source>%1: no code is made; %2 calls these, in this order</source>
        <translation>%1：不生成代码；%2 按此顺序调用</translation>
    </message>
    <message>
        <source>%1. Not as chosen: %2</source>
        <translation>%1。与所选不同：%2</translation>
    </message>
</context>
<context>
    <name>partita::CodePermission</name>
    <message>
        <source>the project</source>
        <translation>该项目</translation>
    </message>
    <message>
        <source>The backend &lt;b&gt;%1&lt;/b&gt; of %2 runs a program:</source>
        <translation>%2 中的后端 &lt;b&gt;%1&lt;/b&gt; 运行程序：</translation>
    </message>
    <message>
        <source>The backend &lt;b&gt;%1&lt;/b&gt; of %2 loads a library:</source>
        <translation>%2 中的后端 &lt;b&gt;%1&lt;/b&gt; 加载库：</translation>
    </message>
    <message>
        <source>May it run?</source>
        <translation>允许运行吗？</translation>
    </message>
    <message>
        <source>&lt;b&gt;A backend brings code of its own&lt;/b&gt;</source>
        <translation>&lt;b&gt;后端带有自己的代码&lt;/b&gt;</translation>
    </message>
    <message>
        <source>&lt;p&gt;It can do on this machine whatever you can. Allow it if you trust where it comes from; you are asked only once.&lt;/p&gt;</source>
        <translation>&lt;p&gt;它在本机上拥有与您相同的权限。如果信任其来源，请允许；只会询问一次。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Allow</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>Run on default instead</source>
        <translation>改在 default 上运行</translation>
    </message>
    <message>
        <source>The backend &lt;b&gt;%1&lt;/b&gt; of %2 asks a program which calls it takes:</source>
        <translation>%2 的后端 &lt;b&gt;%1&lt;/b&gt; 会询问一个程序它接受哪些调用：</translation>
    </message>
    <message>
        <source>Go without its rules</source>
        <translation>不使用其规则继续</translation>
    </message>
</context>
<context>
    <name>partita::CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Type a command</source>
        <translation>输入命令</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>No command has these words in its name or its tip.</source>
        <translation>没有命令的名称或提示含有这些词。</translation>
    </message>
</context>
<context>
    <name>partita::CommandReasons</name>
    <message>
        <source>Open a module first</source>
        <translation>请先打开模块</translation>
    </message>
    <message>
        <source>There is no other model: File › New tab opens one</source>
        <translation>没有其他模型：文件 › 新建标签页可打开一个</translation>
    </message>
    <message>
        <source>Open a lesson first</source>
        <translation>请先打开一课</translation>
    </message>
    <message>
        <source>In a presentation the question of a lesson is hidden</source>
        <translation>只有在演示中课程的问题才会隐藏</translation>
    </message>
    <message>
        <source>This page asks no question</source>
        <translation>此页没有问题</translation>
    </message>
    <message>
        <source>A comparison is shown: go to the tab of a graph first</source>
        <translation>当前显示的是比较：请先转到某个图的标签页</translation>
    </message>
    <message>
        <source>Select operators first</source>
        <translation>请先选择算子</translation>
    </message>
    <message>
        <source>Select two nodes</source>
        <translation>请选择两个节点</translation>
    </message>
    <message>
        <source>The file carries its annotations already</source>
        <translation>文件已带有标注</translation>
    </message>
    <message>
        <source>Parameters and constants go to no backend</source>
        <translation>参数和常量不交给任何后端</translation>
    </message>
    <message>
        <source>Choose backends first</source>
        <translation>请先选择后端</translation>
    </message>
    <message>
        <source>Annotate, merge or partition first</source>
        <translation>请先标注、合并或划分</translation>
    </message>
    <message>
        <source>Divide the module and run it first</source>
        <translation>请先划分并运行模块</translation>
    </message>
</context>
<context>
    <name>partita::ConstantValues</name>
    <message>
        <source>Values</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Read them</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>Least</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Deviation</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>零的比例</translation>
    </message>
    <message>
        <source>Not finite</source>
        <translation>非有限</translation>
    </message>
    <message>
        <source>First</source>
        <translation>开头</translation>
    </message>
    <message>
        <source>Save as .npy…</source>
        <translation>保存为 .npy…</translation>
    </message>
    <message>
        <source>Reading values</source>
        <translation>正在读取数值</translation>
    </message>
    <message>
        <source>Save the values</source>
        <translation>保存数值</translation>
    </message>
    <message>
        <source>NumPy&apos;s arrays (*.npy)</source>
        <translation>NumPy 数组 (*.npy)</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写入 %1</translation>
    </message>
    <message>
        <source>%1 was written.</source>
        <translation>已写入 %1。</translation>
    </message>
    <message>
        <source>Given by</source>
        <translation>来自</translation>
    </message>
    <message>
        <source>Furthest from default</source>
        <translation>与 default 的最大差</translation>
    </message>
    <message>
        <source>%1 (relative %2)</source>
        <translation>%1（相对 %2）</translation>
    </message>
    <message>
        <source>Values that flowed</source>
        <translation>流过的值</translation>
    </message>
    <message>
        <source>Save default&apos;s…</source>
        <translation>保存 default 的…</translation>
    </message>
</context>
<context>
    <name>partita::CoveragePanel</name>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Copy the whole report as Markdown</source>
        <translation>将整个报告复制为 Markdown</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>统计</translation>
    </message>
    <message>
        <source>Shares</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>backend, operator</source>
        <translation>后端、算子</translation>
    </message>
    <message>
        <source>calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>work</source>
        <translation>计算量</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>regions</source>
        <translation>区域</translation>
    </message>
    <message>
        <source>boundary</source>
        <translation>边界</translation>
    </message>
    <message>
        <source>Why calls stayed on default</source>
        <translation>调用留在 default 的原因</translation>
    </message>
    <message>
        <source>cause</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Annotate, or give operators to a backend: then this shows what goes where, and what keeps the rest away.</source>
        <translation>先标注，或将算子交给后端：这里会显示各部分的去向以及其余部分受阻的原因。</translation>
    </message>
    <message>
        <source>Open a module first.</source>
        <translation>请先打开一个模块。</translation>
    </message>
    <message>
        <source>Counting coverage</source>
        <translation>正在统计覆盖率</translation>
    </message>
    <message>
        <source>counting…</source>
        <translation>统计中…</translation>
    </message>
    <message>
        <source>Counting what would change</source>
        <translation>正在统计会发生的变化</translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s) go in and out of its regions</source>
        <translation>
            <numerusform>%n 个张量进出其区域</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: click to select the calls</source>
        <translation>%1：点击选择这些调用</translation>
    </message>
    <message>
        <source>%1, on %2</source>
        <translation>%1，在 %2 上</translation>
    </message>
    <message>
        <source>boundary %1 → %2</source>
        <translation>边界 %1 → %2</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>尝试</translation>
    </message>
    <message>
        <source>try on %1: %2</source>
        <translation>在 %1 上尝试：%2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n call(s) stayed on default</source>
        <translation>
            <numerusform>%n 个调用中有 %1 个留在 default</numerusform>
        </translation>
    </message>
    <message>
        <source>The report is on the clipboard.</source>
        <translation>报告已复制到剪贴板。</translation>
    </message>
    <message>
        <source>rules were not asked</source>
        <translation>尚未询问规则</translation>
    </message>
    <message numerus="yes">
        <source>All %n call(s) are offloaded</source>
        <translation>
            <numerusform>全部 %n 个调用都已交给后端</numerusform>
        </translation>
    </message>
    <message>
        <source>Divide the graph once for each change</source>
        <translation>为每项更改划分一次图</translation>
    </message>
    <message>
        <source>Best %1</source>
        <translation>最佳 %1 项</translation>
    </message>
    <message>
        <source>The changes that together do the most for the figure that the table is sorted by, one after the other</source>
        <translation>依次列出合起来对表格排序所依据的数值最有效的更改</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假设分析</translation>
    </message>
    <message>
        <source>change</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>gained</source>
        <translation>增加</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>no rule would change anything</source>
        <translation>没有规则会带来变化</translation>
    </message>
    <message>
        <source>together: regions %1 → %2</source>
        <translation>合计：区域 %1 → %2</translation>
    </message>
    <message>
        <source>Change the rules so, and as in the lines above; undo takes it back</source>
        <translation>按此行及以上各行更改规则；可撤销</translation>
    </message>
    <message>
        <source>Change the rules so; undo takes it back</source>
        <translation>按此更改规则；可撤销</translation>
    </message>
    <message>
        <source>%1: click to select the calls, twice to see the line</source>
        <translation>%1：单击选中这些调用，双击查看该行</translation>
    </message>
    <message>
        <source>in blocks</source>
        <translation>在各块中</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n block(s) alike</source>
        <translation>
            <numerusform>%1，%n 个块相同</numerusform>
        </translation>
    </message>
    <message>
        <source>block %1: %2</source>
        <translation>第 %1 块：%2</translation>
    </message>
    <message>
        <source>no change leaves fewer regions or less that crosses</source>
        <translation>没有改动能减少区域或跨越边界的数据</translation>
    </message>
    <message>
        <source>no change gains anything towards this goal</source>
        <translation>没有改动对这个目标有好处</translation>
    </message>
    <message>
        <source>The rules of %1 are in Python: only a person can change them so</source>
        <translation>%1 的规则是 Python 写的：这样的改动只能由人来做</translation>
    </message>
    <message>
        <source>Changing the rules</source>
        <translation>正在更改规则</translation>
    </message>
    <message>
        <source>The file itself would be another: convert the model with float16 weights, and open that</source>
        <translation>文件本身将不同：请用 float16 权重转换模型，再打开转换后的文件</translation>
    </message>
</context>
<context>
    <name>partita::CurveChart</name>
    <message>
        <source>Curve of placements</source>
        <translation>放置曲线</translation>
    </message>
</context>
<context>
    <name>partita::DescriptionConflict</name>
    <message>
        <source>Take theirs</source>
        <translation>采用对方的</translation>
    </message>
    <message>
        <source>Read the file again; undo takes it back</source>
        <translation>重新读取文件；可撤销</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>保留我的</translation>
    </message>
    <message>
        <source>Saving then writes over the file</source>
        <translation>之后保存会覆盖该文件</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; is no longer there. Saving writes it again.</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; 已不存在。保存会重新写入。</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; was changed on disk, and here.</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; 在磁盘上和此处都被更改。</translation>
    </message>
</context>
<context>
    <name>partita::DescriptionEdit</name>
    <message>
        <source>Breakpoint on %1: play stops at each operator that it looks at (F9)</source>
        <translation>%1 的断点：播放会在它检查的每个算子处停下 (F9)</translation>
    </message>
    <message>
        <source>Backend description</source>
        <translation>后端描述</translation>
    </message>
    <message>
        <source>Words that fit</source>
        <translation>可用的词</translation>
    </message>
    <message>
        <source>Rules in Python</source>
        <translation>Python 规则</translation>
    </message>
    <message>
        <source>Breakpoint on line %1: play stops at each call that reaches it (F9)</source>
        <translation>第 %1 行的断点：播放时在每个到达该行的调用处停下（F9）</translation>
    </message>
    <message>
        <source>Only where %1 (right button, Shift+F9)</source>
        <translation>仅在 %1 时（右键，Shift+F9）</translation>
    </message>
    <message>
        <source>Right button, Shift+F9: only where a condition holds</source>
        <translation>右键或 Shift+F9：仅在条件成立时</translation>
    </message>
</context>
<context>
    <name>partita::DescriptionTexts</name>
    <message>
        <source>Texts of the description</source>
        <translation>描述的文本</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>描述</translation>
    </message>
    <message>
        <source>%1 (read only)</source>
        <translation>%1（只读）</translation>
    </message>
    <message>
        <source>The rules of this description. Changes of the file on disk are followed.</source>
        <translation>此描述的规则。磁盘上文件的更改会被跟随。</translation>
    </message>
</context>
<context>
    <name>partita::DiffPage</name>
    <message>
        <source>added</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>another type</source>
        <translation>类型不同</translation>
    </message>
    <message>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>after</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>As it was opened</source>
        <translation>打开时的模块</translation>
    </message>
    <message>
        <source>The module now</source>
        <translation>当前模块</translation>
    </message>
    <message>
        <source>After composite</source>
        <translation>复合之后</translation>
    </message>
    <message>
        <source>After annotate</source>
        <translation>标注之后</translation>
    </message>
    <message>
        <source>After merge</source>
        <translation>合并之后</translation>
    </message>
    <message>
        <source>After partition</source>
        <translation>划分之后</translation>
    </message>
    <message>
        <source>A file…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>Compare what</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>Compare with what</source>
        <translation>与之比较</translation>
    </message>
    <message>
        <source>As text</source>
        <translation>以文本显示</translation>
    </message>
    <message>
        <source>Relay text instead of the graph</source>
        <translation>用 Relay 文本代替计算图</translation>
    </message>
    <message>
        <source>The difference before</source>
        <translation>上一处差异</translation>
    </message>
    <message>
        <source>The next difference</source>
        <translation>下一处差异</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>A module to compare with</source>
        <translation>用于比较的模块</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>正在打开 %1</translation>
    </message>
    <message>
        <source>%1 was not made yet</source>
        <translation>尚未生成 %1</translation>
    </message>
    <message>
        <source>Comparing</source>
        <translation>正在比较</translation>
    </message>
    <message>
        <source>No difference</source>
        <translation>没有差异</translation>
    </message>
    <message>
        <source>… and %1 more</source>
        <translation>…以及另外 %1 处</translation>
    </message>
    <message>
        <source>%1 added</source>
        <translation>新增 %1</translation>
    </message>
    <message>
        <source>%1 removed</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>%1 changed</source>
        <translation>更改 %1</translation>
    </message>
    <message>
        <source>%1 of another type</source>
        <translation>类型不同 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n function(s) added</source>
        <translation>
            <numerusform>新增函数 %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n function(s) removed</source>
        <translation>
            <numerusform>移除函数 %n</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 the same</source>
        <translation>相同 %1</translation>
    </message>
    <message>
        <source>Double-click or Enter: each of the %1</source>
        <translation>双击或按回车：逐个显示这 %1 个</translation>
    </message>
</context>
<context>
    <name>partita::DiffSide</name>
    <message>
        <source>Function, %1</source>
        <translation>函数，%1</translation>
    </message>
    <message>
        <source>Graph, %1</source>
        <translation>计算图，%1</translation>
    </message>
    <message>
        <source>Relay text, %1</source>
        <translation>Relay 文本，%1</translation>
    </message>
    <message>
        <source>Laying out %1</source>
        <translation>正在布局 %1</translation>
    </message>
    <message>
        <source>Printing Relay text</source>
        <translation>正在生成 Relay 文本</translation>
    </message>
</context>
<context>
    <name>partita::DimensionsDialog</name>
    <message>
        <source>Dimensions of %1</source>
        <translation>%1 的维度</translation>
    </message>
    <message>
        <source>The model leaves these dimensions open. Partita fixes them when it reads the model; your choice is remembered for this file.</source>
        <translation>模型未固定这些维度。Partita 在读取模型时确定它们，并为此文件记住您的选择。</translation>
    </message>
    <message>
        <source>without a name</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>Use these</source>
        <translation>使用这些值</translation>
    </message>
    <message>
        <source>Keep as they are</source>
        <translation>保持不变</translation>
    </message>
    <message>
        <source>%1, from the graph</source>
        <translation>%1，由计算图得出</translation>
    </message>
</context>
<context>
    <name>partita::DivisionOptions</name>
    <message>
        <source>The passes above are the options of tvm; choose another algorithm under Divide by</source>
        <translation>tvm 的选项就是上面的各遍；请在“划分方式”中选择其他算法</translation>
    </message>
    <message>
        <source>%1 has no options</source>
        <translation>%1 没有选项</translation>
    </message>
    <message>
        <source>Options of %1</source>
        <translation>%1 的选项</translation>
    </message>
    <message>
        <source>From %1</source>
        <translation>来源：%1</translation>
    </message>
    <message>
        <source>&amp;Choose…</source>
        <translation>选择(&amp;C)…</translation>
    </message>
    <message>
        <source>A file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 的 %1</translation>
    </message>
</context>
<context>
    <name>partita::DockTitle</name>
    <message>
        <source>As a window of its own, or back</source>
        <translation>作为独立窗口，或放回</translation>
    </message>
    <message>
        <source>%1 as a window of its own</source>
        <translation>将%1作为独立窗口</translation>
    </message>
    <message>
        <source>Close; the menu View brings it back</source>
        <translation>关闭；可从“视图”菜单恢复</translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation>关闭%1</translation>
    </message>
</context>
<context>
    <name>partita::Document</name>
    <message>
        <source>Opening %1</source>
        <translation>正在打开 %1</translation>
    </message>
    <message>
        <source>Dividing the graph</source>
        <translation>正在划分计算图</translation>
    </message>
    <message numerus="yes">
        <source>give %n operator(s) to %1</source>
        <translation>
            <numerusform>把 %n 个算子交给 %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>leave %n operator(s) to the rules</source>
        <translation>
            <numerusform>把 %n 个算子交还规则</numerusform>
        </translation>
    </message>
    <message>
        <source>choose backends</source>
        <translation>选择后端</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Output %1 differs from the unpartitioned module by up to %2 (relative %3)</source>
        <translation>输出 %1 与未划分模块相差最多 %2（相对 %3）</translation>
    </message>
    <message>
        <source>the code of this backend was not allowed to run</source>
        <translation>不允许运行该后端的代码</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>正在保存 %1</translation>
    </message>
    <message>
        <source>read %1 again</source>
        <translation>重新读取 %1</translation>
    </message>
    <message numerus="yes">
        <source>split %n operator(s) off</source>
        <translation>
            <numerusform>拆出 %n 个算子</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>join %n operator(s)</source>
        <translation>
            <numerusform>连接 %n 个算子</numerusform>
        </translation>
    </message>
    <message>
        <source>compiling</source>
        <translation>编译中</translation>
    </message>
    <message>
        <source>stop dividing</source>
        <translation>停止划分</translation>
    </message>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n 个调用</numerusform>
        </translation>
    </message>
    <message>
        <source>The rule %1 failed for %2: %3</source>
        <translation>规则 %1 对 %2执行失败：%3</translation>
    </message>
    <message>
        <source>The rule %1 failed for %2: %3 (%4)</source>
        <translation>规则 %1 对 %2执行失败：%3（%4）</translation>
    </message>
    <message>
        <source>, %1 % of their time</source>
        <translation>，占其时间的 %1 %</translation>
    </message>
    <message>
        <source>%1: %2 of %3 rows are of operators here%4</source>
        <translation>%1：%3 行中有 %2 行属于这里的算子%4</translation>
    </message>
    <message>
        <source>no operator here: %1</source>
        <translation>这里没有此算子：%1</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>divide as %1 did</source>
        <translation>按 %1 的方式划分</translation>
    </message>
    <message>
        <source>Reading reports</source>
        <translation>正在读取报告</translation>
    </message>
    <message>
        <source>%1: rows of operators that it put in: %2%3</source>
        <translation>%1：属于它插入的算子的行：%2%3</translation>
    </message>
    <message>
        <source>%1: rows of no operator here: %2%3; they are below</source>
        <translation>%1：不属于这里任何算子的行：%2%3；列在下面</translation>
    </message>
</context>
<context>
    <name>partita::EditMenu</name>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Find…</source>
        <translation>查找(&amp;F)…</translation>
    </message>
    <message>
        <source>Find operators, types, attributes</source>
        <translation>查找算子、类型、属性</translation>
    </message>
    <message>
        <source>Se&amp;ttings…</source>
        <translation>设置(&amp;T)…</translation>
    </message>
    <message>
        <source>Ctrl+,</source>
        <translation>Ctrl+,</translation>
    </message>
    <message>
        <source>Theme, graph, running</source>
        <translation>主题、计算图、运行</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>Nothing was changed yet</source>
        <translation>尚无更改</translation>
    </message>
    <message>
        <source>Take back: %1</source>
        <translation>撤销：%1</translation>
    </message>
    <message>
        <source>Take the last change back</source>
        <translation>撤回上一次更改</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
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
        <translation>没有可重做的更改</translation>
    </message>
    <message>
        <source>Make again: %1</source>
        <translation>重做：%1</translation>
    </message>
    <message>
        <source>Make the change again that was taken back</source>
        <translation>重做刚撤回的更改</translation>
    </message>
    <message>
        <source>Copy what the &amp;inspector says</source>
        <translation>复制检查器的内容(&amp;I)</translation>
    </message>
    <message>
        <source>Ctrl+Alt+C</source>
        <translation>Ctrl+Alt+C</translation>
    </message>
    <message>
        <source>Copy what is said of the selected operator, with its reasons, as plain text</source>
        <translation>把所选算子的说明及原因复制为纯文本</translation>
    </message>
    <message>
        <source>Copy &amp;link</source>
        <translation>复制链接(&amp;L)</translation>
    </message>
    <message>
        <source>Ctrl+Alt+L</source>
        <translation>Ctrl+Alt+L</translation>
    </message>
    <message>
        <source>Copy a link to the selected operator, which others open by File › Open a link, or as partita&apos;s FILE</source>
        <translation>复制指向所选算子的链接；他人可用“文件 › 打开链接”或作为 partita 的 FILE 打开</translation>
    </message>
    <message>
        <source>Copied as a link.</source>
        <translation>已复制为链接。</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>全选(&amp;A)</translation>
    </message>
    <message>
        <source>Select all operators</source>
        <translation>选择所有算子</translation>
    </message>
    <message>
        <source>Select the &amp;region</source>
        <translation>选择区域(&amp;R)</translation>
    </message>
    <message>
        <source>Select the region of the selected operator</source>
        <translation>选择所选算子所在的区域</translation>
    </message>
    <message>
        <source>Select the &amp;same operators</source>
        <translation>选择相同算子(&amp;S)</translation>
    </message>
    <message>
        <source>Select all calls of the selected operator</source>
        <translation>选择所选算子的全部调用</translation>
    </message>
    <message>
        <source>Add the same in all &amp;blocks</source>
        <translation>加选所有块中的同一处(&amp;B)</translation>
    </message>
    <message>
        <source>Add what stands at the same place in the other blocks that are alike: what is then done, is done to all</source>
        <translation>加选其他相同块中同一位置的算子：之后的操作对全部生效</translation>
    </message>
    <message>
        <source>Add all &amp;producers</source>
        <translation>加入所有上游(&amp;P)</translation>
    </message>
    <message>
        <source>Select all that the selection depends on</source>
        <translation>选择所选内容依赖的一切</translation>
    </message>
    <message>
        <source>Add all &amp;users</source>
        <translation>加入所有下游(&amp;U)</translation>
    </message>
    <message>
        <source>Select all that depends on the selection</source>
        <translation>选择依赖所选内容的一切</translation>
    </message>
    <message>
        <source>Copied as text.</source>
        <translation>已复制为文本。</translation>
    </message>
    <message>
        <source>The selection lies in no block that comes again.</source>
        <translation>所选内容不在任何重复的块中。</translation>
    </message>
    <message numerus="yes">
        <source>In %n block(s)</source>
        <translation>
            <numerusform>在 %n 个块中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) differ and have some of it</source>
        <translation>
            <numerusform>有 %n 个块不同，只有其中一部分</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) differ and have none</source>
        <translation>
            <numerusform>有 %n 个块不同，没有对应项</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::ElementEditor</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>set %1</source>
        <translation>设置 %1</translation>
    </message>
    <message>
        <source>rename to %1</source>
        <translation>重命名为 %1</translation>
    </message>
    <message>
        <source>change a type</source>
        <translation>更改类型</translation>
    </message>
    <message>
        <source>Change attributes</source>
        <translation>更改属性</translation>
    </message>
    <message numerus="yes">
        <source>Change attributes of %n calls of %1</source>
        <translation>
            <numerusform>更改 %1 的 %n 个调用的属性</numerusform>
        </translation>
    </message>
    <message>
        <source>Change the parameter</source>
        <translation>更改参数</translation>
    </message>
    <message>
        <source>Why the value was refused</source>
        <translation>该值为何被拒绝</translation>
    </message>
    <message>
        <source>Operators that must change together: select them all, then set the value once.</source>
        <translation>必须一起更改的算子：全部选中，然后设置一次该值。</translation>
    </message>
</context>
<context>
    <name>partita::Exports</name>
    <message>
        <source>Write</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>Folder:</source>
        <translation>文件夹：</translation>
    </message>
    <message>
        <source>Relay text, as TVM 0.9 reads it</source>
        <translation>Relay 文本（TVM 0.9 可读）</translation>
    </message>
    <message>
        <source>Module as JSON</source>
        <translation>模块（JSON）</translation>
    </message>
    <message>
        <source>ONNX model, each region a function</source>
        <translation>ONNX 模型，每个区域一个函数</translation>
    </message>
    <message>
        <source>Picture for Graphviz</source>
        <translation>Graphviz 图</translation>
    </message>
    <message>
        <source>Picture, scalable</source>
        <translation>图片（可缩放）</translation>
    </message>
    <message>
        <source>Picture in pixels</source>
        <translation>图片（像素）</translation>
    </message>
    <message>
        <source>Picture for print</source>
        <translation>图片（打印用）</translation>
    </message>
    <message>
        <source>Report: page with picture and tables</source>
        <translation>报告：含图片和表格的网页</translation>
    </message>
    <message>
        <source>Report: tables as Markdown, picture beside it</source>
        <translation>报告：Markdown 表格，图片在旁</translation>
    </message>
    <message>
        <source>%1 was not written</source>
        <translation>未能写出 %1</translation>
    </message>
    <message>
        <source>%1

Nothing is lost: all of it is still open here. Make room, or choose another place.</source>
        <translation>%1

没有丢失任何内容：一切仍在此打开。请腾出空间，或选择其他位置。</translation>
    </message>
    <message>
        <source>Another place…</source>
        <translation>其他位置…</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Folder for the C sources</source>
        <translation>C 源码文件夹</translation>
    </message>
    <message>
        <source>Export a report</source>
        <translation>导出报告</translation>
    </message>
    <message>
        <source>Pages (*.html);;Markdown with pictures beside it (*.md)</source>
        <translation>网页 (*.html);;带图片文件的 Markdown (*.md)</translation>
    </message>
    <message>
        <source>Folder for the ONNX models</source>
        <translation>ONNX 模型文件夹</translation>
    </message>
    <message>
        <source>Exporting %1</source>
        <translation>正在导出 %1</translation>
    </message>
    <message>
        <source>Page to send: graph with groups, search and reasons</source>
        <translation>可发送的网页：带分组、搜索和原因的图</translation>
    </message>
    <message>
        <source>Hand-out: picture to draw regions on, and the solution</source>
        <translation>讲义：供画出区域的图，以及答案</translation>
    </message>
    <message>
        <source>%1 has files that no export wrote. Those of the same names are replaced; others stay.</source>
        <translation>%1 中有并非由导出写入的文件。同名的会被替换，其他保留。</translation>
    </message>
</context>
<context>
    <name>partita::FaultBubble</name>
    <message>
        <source>Why the edit was refused</source>
        <translation>编辑被拒绝的原因</translation>
    </message>
</context>
<context>
    <name>partita::FileMenu</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Close the model</source>
        <translation>关闭模型(&amp;C)</translation>
    </message>
    <message>
        <source>Ctrl+Shift+W</source>
        <translation>Ctrl+Shift+W</translation>
    </message>
    <message>
        <source>Close the tab of this model</source>
        <translation>关闭此模型的标签页</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>Ctrl+Q</source>
        <translation>Ctrl+Q</translation>
    </message>
    <message>
        <source>Close the program</source>
        <translation>关闭程序</translation>
    </message>
    <message>
        <source>There is no earlier session</source>
        <translation>没有之前的会话</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open Relay text or ONNX</source>
        <translation>打开 Relay 文本或 ONNX</translation>
    </message>
    <message>
        <source>New &amp;tab</source>
        <translation>新建标签页(&amp;T)</translation>
    </message>
    <message>
        <source>Open another model beside this one</source>
        <translation>在旁边打开另一个模型</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开(&amp;R)</translation>
    </message>
    <message>
        <source>No file was opened yet</source>
        <translation>尚未打开过文件</translation>
    </message>
    <message>
        <source>Open a &amp;sample</source>
        <translation>打开示例(&amp;S)</translation>
    </message>
    <message>
        <source>Open a report on &amp;it…</source>
        <translation>打开关于它的报告(&amp;I)…</translation>
    </message>
    <message>
        <source>Show what another program did with this model: a profile, a log or a dump of ONNX Runtime, LiteRT or ExecuTorch</source>
        <translation>显示其他程序如何处理此模型：ONNX Runtime、LiteRT 或 ExecuTorch 的性能记录、日志或转储</translation>
    </message>
    <message>
        <source>Open a lin&amp;k…</source>
        <translation>打开链接(&amp;K)…</translation>
    </message>
    <message>
        <source>Go to the operator that a link of somebody names</source>
        <translation>转到他人链接所指的算子</translation>
    </message>
    <message>
        <source>Re&amp;load</source>
        <translation>重新载入(&amp;L)</translation>
    </message>
    <message>
        <source>Ctrl+R</source>
        <translation>Ctrl+R</translation>
    </message>
    <message>
        <source>Read the file again; choices stay with what is still there</source>
        <translation>重新读取文件；仍然存在的部分保留其选择</translation>
    </message>
    <message>
        <source>&amp;Go on where you left</source>
        <translation>继续上次的工作(&amp;G)</translation>
    </message>
    <message>
        <source>Ctrl+Shift+O</source>
        <translation>Ctrl+Shift+O</translation>
    </message>
    <message>
        <source>Open the last module with its division</source>
        <translation>打开上次的模块及其划分</translation>
    </message>
    <message>
        <source>&amp;Save the project</source>
        <translation>保存项目(&amp;S)</translation>
    </message>
    <message>
        <source>Write what you chose for this module</source>
        <translation>写出为此模块所做的选择</translation>
    </message>
    <message>
        <source>Save the project &amp;as…</source>
        <translation>项目另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+S</source>
        <translation>Ctrl+Shift+S</translation>
    </message>
    <message>
        <source>Write what you chose to another file</source>
        <translation>把所做的选择写到另一个文件</translation>
    </message>
    <message>
        <source>The module has no open dimensions</source>
        <translation>该模块没有未固定的维度</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>Ctrl+E</source>
        <translation>Ctrl+E</translation>
    </message>
    <message>
        <source>Write Relay text, JSON, SVG, PNG, PDF, DOT or a report</source>
        <translation>写出 Relay 文本、JSON、SVG、PNG、PDF、DOT 或报告</translation>
    </message>
    <message>
        <source>Export as &amp;C…</source>
        <translation>导出为 C(&amp;C)…</translation>
    </message>
    <message>
        <source>Ctrl+Alt+E</source>
        <translation>Ctrl+Alt+E</translation>
    </message>
    <message>
        <source>Write C sources, weights and CMakeLists.txt into a folder, to build without Partita</source>
        <translation>将 C 源码、权重和 CMakeLists.txt 写入文件夹，无需 Partita 即可构建</translation>
    </message>
    <message>
        <source>Export as ONNX &amp;models…</source>
        <translation>导出为 ONNX 模型(&amp;M)…</translation>
    </message>
    <message>
        <source>Write an ONNX model for each region and a manifest of their connections into a folder</source>
        <translation>为每个区域写出一个 ONNX 模型，并附连接清单</translation>
    </message>
    <message>
        <source>Export a &amp;report…</source>
        <translation>导出报告(&amp;R)…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+E</source>
        <translation>Ctrl+Shift+E</translation>
    </message>
    <message>
        <source>Write one page with the picture, what goes where and why, and the times of the last run</source>
        <translation>写出一页报告：图、分配及其原因、最近一次运行的时间</translation>
    </message>
    <message>
        <source>Export &amp;hand-out</source>
        <translation>导出讲义(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Dimensions of the model…</source>
        <translation>模型的维度(&amp;D)…</translation>
    </message>
    <message>
        <source>Choose the sizes that the ONNX model leaves open, and read it again</source>
        <translation>选择 ONNX 模型未固定的大小，并重新读取</translation>
    </message>
    <message>
        <source>Copy &amp;picture</source>
        <translation>复制图片(&amp;P)</translation>
    </message>
    <message>
        <source>Ctrl+Shift+C</source>
        <translation>Ctrl+Shift+C</translation>
    </message>
    <message>
        <source>Copy the graph as a picture; of a very large one, what the canvas shows of it</source>
        <translation>将图复制为图片；图很大时复制画布上可见的部分</translation>
    </message>
    <message>
        <source>Pri&amp;nt…</source>
        <translation>打印(&amp;N)…</translation>
    </message>
    <message>
        <source>Print the graph of this tab</source>
        <translation>打印此标签页的计算图</translation>
    </message>
    <message>
        <source>Forget them</source>
        <translation>清除记录</translation>
    </message>
    <message>
        <source>The picture is on the clipboard.</source>
        <translation>图片已复制到剪贴板。</translation>
    </message>
    <message>
        <source>Save the project</source>
        <translation>保存项目</translation>
    </message>
    <message>
        <source>Projects (*.partita)</source>
        <translation>项目 (*.partita)</translation>
    </message>
</context>
<context>
    <name>partita::FileOpening</name>
    <message>
        <source>The other files are in File › Open recent. Two at once are compared.</source>
        <translation>其余文件在“文件 › 最近打开”中。同时拖入两个文件则进行比较。</translation>
    </message>
    <message>
        <source>The file of the link is not here</source>
        <translation>链接所指的文件不在这里</translation>
    </message>
    <message>
        <source>No file that was opened before is called %1. Open it once; then links to it are found.</source>
        <translation>以前打开过的文件中没有 %1。请先打开一次，之后便能找到指向它的链接。</translation>
    </message>
    <message>
        <source>Open a link</source>
        <translation>打开链接</translation>
    </message>
    <message>
        <source>A link that Edit › Copy link made:</source>
        <translation>由“编辑 › 复制链接”生成的链接：</translation>
    </message>
    <message>
        <source>This is no link</source>
        <translation>这不是链接</translation>
    </message>
    <message>
        <source>A link begins with partita: and a file&apos;s name.</source>
        <translation>链接以 partita: 和文件名开头。</translation>
    </message>
    <message>
        <source>Open a module</source>
        <translation>打开模块</translation>
    </message>
    <message>
        <source>%1 was not opened</source>
        <translation>未能打开 %1</translation>
    </message>
    <message>
        <source>Take it from the list</source>
        <translation>从列表中移除</translation>
    </message>
    <message>
        <source>The list of recent files offers it no more</source>
        <translation>最近文件列表不再提供它</translation>
    </message>
    <message>
        <source>What was recovered stands here. Save it, then open the file: it is among the recent ones.</source>
        <translation>当前显示的是恢复的内容。请先保存，再打开该文件：它在最近打开的文件中。</translation>
    </message>
</context>
<context>
    <name>partita::FileWatch</name>
    <message>
        <source>File changed</source>
        <translation>文件已更改</translation>
    </message>
    <message>
        <source>Read it again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>One step that can be undone; choices stay with the operators that are still there</source>
        <translation>可撤销的一步；仍然存在的算子保留其选择</translation>
    </message>
    <message>
        <source>Keep what is open</source>
        <translation>保留当前内容</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; was changed on disk.</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; 已在磁盘上更改。</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; is no longer there. What is open is whole: a project or an export keeps it.</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; 已不存在。打开的内容是完整的：保存项目或导出即可保留。</translation>
    </message>
</context>
<context>
    <name>partita::FindBar</name>
    <message>
        <source>Find in the text</source>
        <translation>在文本中查找</translation>
    </message>
    <message>
        <source>Enter: next, Shift+Enter: previous, Esc: close</source>
        <translation>Enter：下一个，Shift+Enter：上一个，Esc：关闭</translation>
    </message>
    <message>
        <source>Previous hit (Shift+Enter)</source>
        <translation>上一个（Shift+Enter）</translation>
    </message>
    <message>
        <source>Previous hit</source>
        <translation>上一个</translation>
    </message>
    <message>
        <source>Next hit (Enter)</source>
        <translation>下一个（Enter）</translation>
    </message>
    <message>
        <source>Next hit</source>
        <translation>下一个</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭（Esc）</translation>
    </message>
    <message>
        <source>Close the search</source>
        <translation>关闭查找</translation>
    </message>
    <message>
        <source>no hit</source>
        <translation>无结果</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>第 %1 个，共 %2 个</translation>
    </message>
</context>
<context>
    <name>partita::FlowMenu</name>
    <message>
        <source>F&amp;low</source>
        <translation>流程(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Annotate</source>
        <translation>标注(&amp;A)</translation>
    </message>
    <message>
        <source>Give operators to backends by the backends&apos; rules</source>
        <translation>按后端的规则把算子分给后端</translation>
    </message>
    <message>
        <source>annotate by rules</source>
        <translation>按规则标注</translation>
    </message>
    <message>
        <source>&amp;Merge</source>
        <translation>合并(&amp;M)</translation>
    </message>
    <message>
        <source>Merge neighbouring regions of one backend</source>
        <translation>合并同一后端的相邻区域</translation>
    </message>
    <message>
        <source>merge regions</source>
        <translation>合并区域</translation>
    </message>
    <message>
        <source>&amp;Partition</source>
        <translation>划分(&amp;P)</translation>
    </message>
    <message>
        <source>Make each region a function of its own</source>
        <translation>把每个区域变成独立的函数</translation>
    </message>
    <message>
        <source>partition</source>
        <translation>划分</translation>
    </message>
    <message>
        <source>&amp;Next pass</source>
        <translation>下一遍(&amp;N)</translation>
    </message>
    <message>
        <source>Annotate, then merge, then partition</source>
        <translation>先标注，再合并，再划分</translation>
    </message>
    <message>
        <source>&amp;Whole flow</source>
        <translation>完整流程(&amp;W)</translation>
    </message>
    <message>
        <source>Annotate, merge and partition in one step</source>
        <translation>一步完成标注、合并与划分</translation>
    </message>
    <message>
        <source>whole flow</source>
        <translation>完整流程</translation>
    </message>
    <message>
        <source>As the rules&apos; &amp;file does</source>
        <translation>按规则文件的流程(&amp;F)</translation>
    </message>
    <message>
        <source>The passes that the Python file of the only backend names in its partition_for function</source>
        <translation>唯一后端的 Python 文件在其 partition_for 函数中列出的各遍</translation>
    </message>
    <message>
        <source>It takes one backend, of a Python file with a function partition_for_...</source>
        <translation>需要恰好一个后端，且其 Python 文件中有 partition_for_… 函数</translation>
    </message>
    <message>
        <source>&amp;Start over</source>
        <translation>重新开始(&amp;S)</translation>
    </message>
    <message>
        <source>Take all passes and assignments back</source>
        <translation>撤回所有步骤和指定</translation>
    </message>
    <message>
        <source>&amp;tvm: annotate, merge, partition</source>
        <translation>&amp;tvm：标注、合并、划分</translation>
    </message>
    <message>
        <source>Relay&apos;s flow, as in Apache TVM 0.9</source>
        <translation>Relay 的流程，与 Apache TVM 0.9 相同</translation>
    </message>
    <message>
        <source>&amp;Divide by</source>
        <translation>划分方式(&amp;D)</translation>
    </message>
    <message>
        <source>A division</source>
        <translation>划分</translation>
    </message>
    <message>
        <source>Divisions (*.json);;All files (*)</source>
        <translation>划分 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>divide by %1</source>
        <translation>按 %1 划分</translation>
    </message>
    <message>
        <source>Op&amp;tions of the division…</source>
        <translation>划分选项(&amp;T)…</translation>
    </message>
    <message>
        <source>What the algorithm under Divide by can be told: sizes, releases, files, a budget</source>
        <translation>可以告诉“划分方式”所选算法的内容：大小、版本、文件、预算</translation>
    </message>
    <message>
        <source>&amp;Lower to Relay&apos;s operators first</source>
        <translation>先降为 Relay 的算子(&amp;L)</translation>
    </message>
    <message>
        <source>Write operators that Relay and TVM do not have, such as nn.attention, as Relay&apos;s own; assignments by hand are cleared</source>
        <translation>用 Relay 自己的算子来写 Relay 和 TVM 没有的算子（如 nn.attention）；手动指定会被清除</translation>
    </message>
    <message>
        <source>lower</source>
        <translation>降级</translation>
    </message>
    <message>
        <source>S&amp;implify first</source>
        <translation>先化简(&amp;I)</translation>
    </message>
    <message>
        <source>Simplify inference (batch_norm, dropout) and fold constants; assignments by hand are cleared</source>
        <translation>化简推理（batch_norm、dropout）并折叠常量；手动指定会被清除</translation>
    </message>
    <message>
        <source>simplify</source>
        <translation>化简</translation>
    </message>
    <message>
        <source>Fold c&amp;onstants first</source>
        <translation>先折叠常量(&amp;O)</translation>
    </message>
    <message>
        <source>Compute what depends on constants alone; assignments by hand are cleared</source>
        <translation>计算只依赖常量的部分；手动指定会被清除</translation>
    </message>
    <message>
        <source>fold constants</source>
        <translation>折叠常量</translation>
    </message>
    <message>
        <source>Simplifying folds constants too</source>
        <translation>化简时也会折叠常量</translation>
    </message>
    <message>
        <source>Use &amp;composite patterns</source>
        <translation>使用复合模式(&amp;C)</translation>
    </message>
    <message>
        <source>Match the backends&apos; patterns before annotating</source>
        <translation>标注前先匹配后端的模式</translation>
    </message>
    <message>
        <source>composite patterns</source>
        <translation>复合模式</translation>
    </message>
    <message>
        <source>Include &amp;tuples and projections</source>
        <translation>包含元组与投影(&amp;T)</translation>
    </message>
    <message>
        <source>Tuples, projections and references go where their operands go (include_non_call_ops)</source>
        <translation>元组、投影与引用随其操作数（include_non_call_ops）</translation>
    </message>
    <message>
        <source>include tuples and projections</source>
        <translation>包含元组与投影</translation>
    </message>
    <message>
        <source>&amp;Bind constants</source>
        <translation>绑定常量(&amp;B)</translation>
    </message>
    <message>
        <source>Put constant inputs into the sub-functions</source>
        <translation>把常量输入放入子函数</translation>
    </message>
    <message>
        <source>bind constants</source>
        <translation>绑定常量</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>Run the module, measure each region and compare the outputs</source>
        <translation>运行模块，测量每个区域并比较输出</translation>
    </message>
    <message>
        <source>A run is going on</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>Inp&amp;uts of the run…</source>
        <translation>运行的输入(&amp;U)…</translation>
    </message>
    <message>
        <source>Ctrl+I</source>
        <translation>Ctrl+I</translation>
    </message>
    <message>
        <source>Which values the inputs get: made ones, or your own arrays and images</source>
        <translation>输入使用哪些值：自动生成的，或您自己的数组和图像</translation>
    </message>
    <message>
        <source>Place &amp;by time</source>
        <translation>按时间放置(&amp;B)</translation>
    </message>
    <message>
        <source>Ctrl+Shift+B</source>
        <translation>Ctrl+Shift+B</translation>
    </message>
    <message>
        <source>Measure the parts of the module and give every operator to the backend with which a run takes least</source>
        <translation>测量模块的各部分，并把每个算子分配给使运行最快的后端</translation>
    </message>
    <message>
        <source>Place by time, measuring a&amp;new</source>
        <translation>按时间放置，重新测量(&amp;N)</translation>
    </message>
    <message>
        <source>Place by time, and measure also what is known of these operators from earlier</source>
        <translation>按时间放置，并重新测量这些算子的已知数据</translation>
    </message>
    <message>
        <source>&amp;Costs of the placement…</source>
        <translation>放置的开销(&amp;C)…</translation>
    </message>
    <message>
        <source>What was measured, what other placements cost, and which operators could move</source>
        <translation>测得的结果、其他放置的开销，以及可以移动的算子</translation>
    </message>
    <message>
        <source>Place by time first (Ctrl+Shift+B)</source>
        <translation>请先按时间放置 (Ctrl+Shift+B)</translation>
    </message>
    <message>
        <source>Compare re&amp;gions</source>
        <translation>比较区域(&amp;G)</translation>
    </message>
    <message>
        <source>Run again and hold what each region gives against the same region on default; the first that differs is selected</source>
        <translation>再次运行，将每个区域的结果与 default 上的同一区域比较；选中第一个不同的区域</translation>
    </message>
    <message>
        <source>&amp;Bisect</source>
        <translation>二分查找(&amp;B)</translation>
    </message>
    <message>
        <source>Find the operator that a backend computes otherwise than default, or that its compiler refuses</source>
        <translation>找出后端计算结果与 default 不同，或其编译器拒绝的算子</translation>
    </message>
    <message>
        <source>What was as&amp;ked</source>
        <translation>询问了什么(&amp;K)</translation>
    </message>
    <message>
        <source>All that the rules were asked about the selected operator, taken or refused, with values</source>
        <translation>规则就所选算子被询问的全部内容，无论接受还是拒绝，连同取值</translation>
    </message>
    <message>
        <source>Predic&amp;t the regions</source>
        <translation>预测区域(&amp;T)</translation>
    </message>
    <message>
        <source>Mark the regions of the open graph yourself, then compare</source>
        <translation>自己标记当前计算图的区域，然后比较</translation>
    </message>
    <message>
        <source>Mark as a re&amp;gion</source>
        <translation>标记为区域(&amp;G)</translation>
    </message>
    <message>
        <source>While predicting: the selected operators are one region</source>
        <translation>预测时：所选算子为一个区域</translation>
    </message>
    <message>
        <source>Start with Flow › Predict the regions</source>
        <translation>请先使用 流程 › 预测区域</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Ctrl+.</source>
        <translation>Ctrl+.</translation>
    </message>
    <message>
        <source>Cancel what is running</source>
        <translation>取消正在进行的工作</translation>
    </message>
    <message>
        <source>Nothing is running</source>
        <translation>没有正在运行的任务</translation>
    </message>
    <message>
        <source>Nothing goes to a backend yet: annotate (F6), or give operators to one (keys 1 to 9).</source>
        <translation>还没有算子交给后端：请标注（F6），或用 1 到 9 键把算子交给后端。</translation>
    </message>
    <message>
        <source>as the file does</source>
        <translation>按文件的流程</translation>
    </message>
    <message>
        <source>As %1 does: %2</source>
        <translation>按 %1 的流程：%2</translation>
    </message>
    <message>
        <source>%1. Left out: %2</source>
        <translation>%1。已略去：%2</translation>
    </message>
    <message>
        <source>All passes were made.</source>
        <translation>所有步骤均已完成。</translation>
    </message>
    <message>
        <source>start over</source>
        <translation>重新开始</translation>
    </message>
</context>
<context>
    <name>partita::FunctionAttributeDialog</name>
    <message>
        <source>Attribute of %1</source>
        <translation>%1 的属性</translation>
    </message>
    <message>
        <source>&amp;Attribute</source>
        <translation>属性(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Value</source>
        <translation>值(&amp;V)</translation>
    </message>
    <message>
        <source>Why it was refused</source>
        <translation>为何被拒绝</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Take away</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>not set; a number, text or a list such as 1, 1</source>
        <translation>未设置；可填数字、文本或列表，例如 1, 1</translation>
    </message>
    <message>
        <source>The function has no such attribute</source>
        <translation>该函数没有这个属性</translation>
    </message>
    <message>
        <source>%1 is no name</source>
        <translation>%1 不是有效的名称</translation>
    </message>
</context>
<context>
    <name>partita::GraphEditor</name>
    <message>
        <source>Open a module first</source>
        <translation>请先打开模块</translation>
    </message>
    <message>
        <source>An edit is going on</source>
        <translation>正在编辑</translation>
    </message>
    <message>
        <source>The partitioned module follows from the other: edit that one</source>
        <translation>划分后的模块由另一个得出：请编辑那一个</translation>
    </message>
    <message>
        <source>Select operators first</source>
        <translation>请先选择算子</translation>
    </message>
    <message>
        <source>Choose an edge first: click it, or press E on a node</source>
        <translation>请先选择一条边：点击它，或在节点上按 E</translation>
    </message>
    <message>
        <source>Select an operator or choose an edge first</source>
        <translation>请先选择一个算子或一条边</translation>
    </message>
    <message>
        <source>Select one operator first</source>
        <translation>请先选择一个算子</translation>
    </message>
    <message>
        <source>Select one operator or parameter, or nothing for the function</source>
        <translation>选择一个算子或参数；不选则指函数</translation>
    </message>
    <message>
        <source>Select a parameter first</source>
        <translation>请先选择一个参数</translation>
    </message>
    <message>
        <source>Select a call of a function first</source>
        <translation>请先选择一个函数调用</translation>
    </message>
    <message>
        <source>The file carries its annotations already</source>
        <translation>文件已带有标注</translation>
    </message>
    <message>
        <source>Annotate first, or give operators to a backend</source>
        <translation>请先标注，或将算子交给后端</translation>
    </message>
    <message>
        <source>the output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>between %1 and %2</source>
        <translation>在 %1 与 %2 之间</translation>
    </message>
    <message>
        <source>after %1, before all that use it</source>
        <translation>在 %1 之后、其所有使用者之前</translation>
    </message>
    <message>
        <source>only between %1 and %2</source>
        <translation>仅在 %1 与 %2 之间</translation>
    </message>
    <message>
        <source>as a new output</source>
        <translation>作为新的输出</translation>
    </message>
    <message>
        <source>insert %1</source>
        <translation>插入 %1</translation>
    </message>
    <message>
        <source>delete %1</source>
        <translation>删除 %1</translation>
    </message>
    <message numerus="yes">
        <source>delete %n expression(s)</source>
        <translation>
            <numerusform>删除 %n 个表达式</numerusform>
        </translation>
    </message>
    <message>
        <source>Exchange the operator</source>
        <translation>替换算子</translation>
    </message>
    <message>
        <source>Call instead of %1, with the same operands:</source>
        <translation>用相同的操作数代替 %1 调用：</translation>
    </message>
    <message>
        <source>There is no operator %1</source>
        <translation>没有算子 %1</translation>
    </message>
    <message>
        <source>exchange for %1</source>
        <translation>替换为 %1</translation>
    </message>
    <message>
        <source>make an input</source>
        <translation>变为输入</translation>
    </message>
    <message>
        <source>rewire to %1</source>
        <translation>改接到 %1</translation>
    </message>
    <message>
        <source>Rename the function</source>
        <translation>重命名函数</translation>
    </message>
    <message>
        <source>New name of @%1:</source>
        <translation>@%1 的新名称：</translation>
    </message>
    <message>
        <source>rename @%1</source>
        <translation>重命名 @%1</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>New name of %%1:</source>
        <translation>%%1 的新名称：</translation>
    </message>
    <message>
        <source>Name for %1:</source>
        <translation>%1 的名称：</translation>
    </message>
    <message>
        <source>rename to %1</source>
        <translation>重命名为 %1</translation>
    </message>
    <message>
        <source>Type of the parameter</source>
        <translation>参数的类型</translation>
    </message>
    <message>
        <source>Type of %%1:</source>
        <translation>%%1 的类型：</translation>
    </message>
    <message>
        <source>change a type</source>
        <translation>更改类型</translation>
    </message>
    <message>
        <source>Make a function of the selection</source>
        <translation>把所选变为函数</translation>
    </message>
    <message>
        <source>Name of the function:</source>
        <translation>函数名称：</translation>
    </message>
    <message>
        <source>make @%1</source>
        <translation>生成 @%1</translation>
    </message>
    <message>
        <source>inline %1</source>
        <translation>内联 %1</translation>
    </message>
    <message>
        <source>take attribute %1 away</source>
        <translation>去除属性 %1</translation>
    </message>
    <message>
        <source>set attribute %1</source>
        <translation>设置属性 %1</translation>
    </message>
    <message>
        <source>There is no Relay text on the clipboard</source>
        <translation>剪贴板中没有 Relay 文本</translation>
    </message>
    <message>
        <source>paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>paste after the selection</source>
        <translation>粘贴到所选之后</translation>
    </message>
    <message>
        <source>input %1</source>
        <translation>输入 %1</translation>
    </message>
    <message>
        <source>%1: it would depend on itself</source>
        <translation>%1：它将依赖于自身</translation>
    </message>
    <message>
        <source>feed %1 by %2</source>
        <translation>由 %2 提供 %1 的输入</translation>
    </message>
    <message>
        <source>Regions are of backends: all that is selected is on default</source>
        <translation>区域属于后端：所选全部在 default 上</translation>
    </message>
    <message>
        <source>this edge can&apos;t be dragged</source>
        <translation>无法拖动这条边</translation>
    </message>
    <message>
        <source>open the group first</source>
        <translation>请先打开该组</translation>
    </message>
    <message>
        <source>it would depend on itself</source>
        <translation>它会依赖自身</translation>
    </message>
    <message>
        <source>Select an operator that is a result of the module</source>
        <translation>请选择一个是模块结果的算子</translation>
    </message>
    <message>
        <source>Name of the output</source>
        <translation>输出的名称</translation>
    </message>
    <message>
        <source>New name of the output %1:</source>
        <translation>输出 %1 的新名称：</translation>
    </message>
    <message>
        <source>rename the output %1</source>
        <translation>重命名输出 %1</translation>
    </message>
</context>
<context>
    <name>partita::GraphMenu</name>
    <message>
        <source>&amp;Graph</source>
        <translation>计算图(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Insert an operator…</source>
        <translation>插入算子(&amp;I)…</translation>
    </message>
    <message>
        <source>On the chosen edge, after the selection, or as an output</source>
        <translation>在所选的边上、所选之后，或作为输出</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>删除(&amp;D)</translation>
    </message>
    <message>
        <source>Take the selection out; its users get its operands</source>
        <translation>移除所选；其使用者改用它的操作数</translation>
    </message>
    <message>
        <source>E&amp;xchange the operator…</source>
        <translation>替换算子(&amp;X)…</translation>
    </message>
    <message>
        <source>Call another operator with the same operands</source>
        <translation>用相同的操作数调用另一个算子</translation>
    </message>
    <message>
        <source>Re&amp;name…</source>
        <translation>重命名(&amp;N)…</translation>
    </message>
    <message>
        <source>The selected parameter or operator; with nothing selected, the function</source>
        <translation>所选的参数或算子；未选择时为函数</translation>
    </message>
    <message>
        <source>Name of the o&amp;utput…</source>
        <translation>输出的名称(&amp;U)…</translation>
    </message>
    <message>
        <source>The selected operator is a result of the module: how that is called in files</source>
        <translation>所选算子是模块的结果：它在文件中的名称</translation>
    </message>
    <message>
        <source>T&amp;ype of the parameter…</source>
        <translation>参数的类型(&amp;Y)…</translation>
    </message>
    <message>
        <source>Give the selected parameter another type</source>
        <translation>为所选参数指定另一类型</translation>
    </message>
    <message>
        <source>&amp;Choose the next input edge</source>
        <translation>选择下一条输入边(&amp;C)</translation>
    </message>
    <message>
        <source>Of the operator with the keyboard&apos;s focus; edges can be clicked, too</source>
        <translation>键盘焦点所在算子的；也可直接点击边</translation>
    </message>
    <message>
        <source>&amp;Make the edge an input</source>
        <translation>把边变为输入(&amp;M)</translation>
    </message>
    <message>
        <source>A new parameter takes the place of the edge&apos;s source</source>
        <translation>由新参数取代该边的来源</translation>
    </message>
    <message>
        <source>Make a &amp;function…</source>
        <translation>生成函数(&amp;F)…</translation>
    </message>
    <message>
        <source>Ctrl+G</source>
        <translation>Ctrl+G</translation>
    </message>
    <message>
        <source>The selection becomes a function, called in its place</source>
        <translation>所选变为函数，并在原处调用</translation>
    </message>
    <message>
        <source>In&amp;line the call</source>
        <translation>内联调用(&amp;L)</translation>
    </message>
    <message>
        <source>Ctrl+Shift+G</source>
        <translation>Ctrl+Shift+G</translation>
    </message>
    <message>
        <source>Put the body of the called function in the call&apos;s place</source>
        <translation>用被调函数的主体替换该调用</translation>
    </message>
    <message>
        <source>Attribute of the f&amp;unction…</source>
        <translation>函数属性(&amp;U)…</translation>
    </message>
    <message>
        <source>Set or take away an attribute, such as Compiler</source>
        <translation>设置或去除属性，例如 Compiler</translation>
    </message>
    <message>
        <source>C&amp;opy as Relay text</source>
        <translation>复制为 Relay 文本(&amp;O)</translation>
    </message>
    <message>
        <source>Copy the selection as a function</source>
        <translation>将所选复制为函数</translation>
    </message>
    <message>
        <source>The selection is on the clipboard as Relay text.</source>
        <translation>所选已作为 Relay 文本放入剪贴板。</translation>
    </message>
    <message>
        <source>&amp;Paste Relay text</source>
        <translation>粘贴 Relay 文本(&amp;P)</translation>
    </message>
    <message>
        <source>What is selected becomes its inputs; its result becomes an output</source>
        <translation>所选成为其输入；其结果成为输出</translation>
    </message>
    <message>
        <source>Paste &amp;after the selection</source>
        <translation>粘贴到所选之后(&amp;A)</translation>
    </message>
    <message>
        <source>Ctrl+Alt+V</source>
        <translation>Ctrl+Alt+V</translation>
    </message>
    <message>
        <source>Those that use the selection use the result instead</source>
        <translation>使用所选的算子改用该结果</translation>
    </message>
</context>
<context>
    <name>partita::GraphModel</name>
    <message>
        <source>tuple of %1</source>
        <translation>%1 个元素的元组</translation>
    </message>
    <message>
        <source>field %1</source>
        <translation>字段 %1</translation>
    </message>
    <message>
        <source>composite</source>
        <translation>复合</translation>
    </message>
    <message>
        <source>, … %1 fields</source>
        <translation>，… 共 %1 个字段</translation>
    </message>
</context>
<context>
    <name>partita::GraphPage</name>
    <message>
        <source>%1 partitioned</source>
        <translation>%1（已划分）</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Laying out %1</source>
        <translation>正在布局 %1</translation>
    </message>
    <message>
        <source>No picture: %1</source>
        <translation>没有图形：%1</translation>
    </message>
    <message>
        <source>Laying out the new division…</source>
        <translation>正在布局新的划分…</translation>
    </message>
    <message>
        <source>Laying out the graph…</source>
        <translation>正在布局计算图…</translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation>转到 %1</translation>
    </message>
    <message>
        <source>The picture was stopped.</source>
        <translation>绘图已停止。</translation>
    </message>
    <message>
        <source>Draw it</source>
        <translation>绘制</translation>
    </message>
    <message>
        <source>reading the graph</source>
        <translation>正在读取计算图</translation>
    </message>
    <message>
        <source>finding groups</source>
        <translation>正在查找分组</translation>
    </message>
    <message numerus="yes">
        <source>placing %n node(s)</source>
        <translation>
            <numerusform>正在放置 %n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>Searching</source>
        <translation>正在搜索</translation>
    </message>
    <message>
        <source>Looking for blocks</source>
        <translation>正在查找块</translation>
    </message>
    <message>
        <source>Colouring by queries</source>
        <translation>正在按查询着色</translation>
    </message>
</context>
<context>
    <name>partita::GraphView</name>
    <message>
        <source>Graph</source>
        <translation>计算图</translation>
    </message>
    <message>
        <source>Backend: %1</source>
        <translation>后端：%1</translation>
    </message>
    <message>
        <source>Region: %1</source>
        <translation>区域：%1</translation>
    </message>
    <message>
        <source>Given by hand</source>
        <translation>手动指定</translation>
    </message>
    <message>
        <source>%1: %2 %</source>
        <translation>%1: %2 %</translation>
    </message>
    <message>
        <source>Enter or a double click opens the group</source>
        <translation>按 Enter 或双击展开分组</translation>
    </message>
</context>
<context>
    <name>partita::GroupsNotice</name>
    <message>
        <source>Open all</source>
        <translation>全部展开</translation>
    </message>
    <message>
        <source>Show every operator; this may take a while and can be stopped</source>
        <translation>显示每个算子；可能需要一些时间，可以停止</translation>
    </message>
    <message>
        <source>Close all</source>
        <translation>全部折叠</translation>
    </message>
    <message>
        <source>Show the outermost groups</source>
        <translation>显示最外层分组</translation>
    </message>
    <message>
        <source>All groups are open.</source>
        <translation>所有分组均已展开。</translation>
    </message>
    <message numerus="yes">
        <source>%1 nodes, with %n group(s) closed. Enter or a double click opens a group, C closes the one round a node.</source>
        <translation>
            <numerusform>%1 个节点，%n 个分组已折叠。按 Enter 或双击展开分组，按 C 折叠节点所在的分组。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::Handouts</name>
    <message>
        <source>&amp;To predict this graph…</source>
        <translation>预测此图(&amp;T)…</translation>
    </message>
    <message>
        <source>Of &amp;all lessons…</source>
        <translation>全部课程(&amp;A)…</translation>
    </message>
    <message>
        <source>lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Of this &amp;lesson…</source>
        <translation>本课(&amp;L)…</translation>
    </message>
    <message>
        <source>Of the chapter “%1”…</source>
        <translation>“%1”一章…</translation>
    </message>
    <message>
        <source>Export a hand-out</source>
        <translation>导出讲义</translation>
    </message>
    <message>
        <source>Pages (*.pdf)</source>
        <translation>页面 (*.pdf)</translation>
    </message>
    <message>
        <source>Exporting %1</source>
        <translation>正在导出 %1</translation>
    </message>
    <message>
        <source>On paper of size %1</source>
        <translation>纸张大小：%1</translation>
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
        <translation>图中算子的颜色表示其耗时，从零到最长</translation>
    </message>
    <message>
        <source>Heat: from 0 to %1</source>
        <translation>热度：0 到 %1</translation>
    </message>
</context>
<context>
    <name>partita::HelpMenu</name>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>How to use Partita</source>
        <translation>如何使用 Partita</translation>
    </message>
    <message>
        <source>About the &amp;operator</source>
        <translation>关于算子(&amp;O)</translation>
    </message>
    <message>
        <source>?</source>
        <translation>?</translation>
    </message>
    <message>
        <source>What the selected operator computes, its attributes, shapes and names; follows the selection</source>
        <translation>所选算子计算什么，及其属性、形状和名称；跟随选择</translation>
    </message>
    <message>
        <source>Select an operator first</source>
        <translation>请先选择一个算子</translation>
    </message>
    <message>
        <source>&amp;Lessons</source>
        <translation>课程(&amp;L)</translation>
    </message>
    <message>
        <source>Small graphs with steps and questions</source>
        <translation>带步骤和问题的小计算图</translation>
    </message>
    <message>
        <source>Next &amp;page of the lesson</source>
        <translation>课程下一页(&amp;P)</translation>
    </message>
    <message>
        <source>Alt+PgDown</source>
        <translation>Alt+PgDown</translation>
    </message>
    <message>
        <source>Page &amp;before</source>
        <translation>上一页(&amp;B)</translation>
    </message>
    <message>
        <source>Alt+PgUp</source>
        <translation>Alt+PgUp</translation>
    </message>
    <message>
        <source>Chec&amp;k the answer</source>
        <translation>检查答案(&amp;K)</translation>
    </message>
    <message>
        <source>Alt+Return</source>
        <translation>Alt+Return</translation>
    </message>
    <message>
        <source>Hold the answer to the page&apos;s question against the right one</source>
        <translation>把本页问题的答案与正确答案比较</translation>
    </message>
    <message>
        <source>This page asks no question</source>
        <translation>此页没有问题</translation>
    </message>
    <message>
        <source>Ne&amp;w lesson from this graph</source>
        <translation>用此计算图新建课程(&amp;W)</translation>
    </message>
    <message>
        <source>Write a lesson: text, the graph as it is now, questions by pointing at it</source>
        <translation>编写课程：文字、计算图的现状，以及通过指点计算图提出的问题</translation>
    </message>
    <message>
        <source>&amp;Edit the lesson</source>
        <translation>编辑课程(&amp;E)</translation>
    </message>
    <message>
        <source>The lesson that is open, or that is being written; one that ships is edited as a copy</source>
        <translation>当前打开或正在编写的课程；随程序提供的课程以副本形式编辑</translation>
    </message>
    <message>
        <source>Open the lessons&apos; &amp;folder</source>
        <translation>打开课程文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>Where lessons of your own are put; they are read again whenever they are saved</source>
        <translation>放置自己的课程；每次保存都会重新读取</translation>
    </message>
    <message>
        <source>&amp;Commands…</source>
        <translation>命令(&amp;C)…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+P</source>
        <translation>Ctrl+Shift+P</translation>
    </message>
    <message>
        <source>Find and run any command</source>
        <translation>查找并执行任意命令</translation>
    </message>
    <message>
        <source>&amp;About Partita</source>
        <translation>关于 Partita(&amp;A)</translation>
    </message>
    <message>
        <source>About Partita</source>
        <translation>关于 Partita</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Partita %1&lt;/h3&gt;&lt;p&gt;See how a neural-network graph is divided among compilers, change the division, and run the result.&lt;/p&gt;&lt;p&gt;Built with Qt %2, Graphviz and oneDNN.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;Partita %1&lt;/h3&gt;&lt;p&gt;查看神经网络计算图在各编译器之间的划分，修改划分并运行结果。&lt;/p&gt;&lt;p&gt;使用 Qt %2、Graphviz 和 oneDNN 构建。&lt;/p&gt;</translation>
    </message>
</context>
<context>
    <name>partita::HelpWindow</name>
    <message>
        <source>Not on this page</source>
        <translation>本页没有</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Back to the page before (Alt+Left)</source>
        <translation>返回上一页（Alt+左）</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一页</translation>
    </message>
    <message>
        <source>Find in the help</source>
        <translation>在帮助中查找</translation>
    </message>
    <message>
        <source>Headings</source>
        <translation>标题</translation>
    </message>
</context>
<context>
    <name>partita::HintList</name>
    <message>
        <source>Who answers %1 reads:</source>
        <translation>回答 %1 的人会看到：</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
</context>
<context>
    <name>partita::HitList</name>
    <message>
        <source>Hits of the search</source>
        <translation>搜索命中</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>函数</translation>
    </message>
    <message>
        <source>The first %1 of %2 hits.</source>
        <translation>%2 个命中中的前 %1 个。</translation>
    </message>
    <message numerus="yes">
        <source>%n function(s) were not searched: the module has too many.</source>
        <translation>
            <numerusform>有 %n 个函数未搜索：模块中的函数太多。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::InputsDialog</name>
    <message>
        <source>&amp;Choose a file…</source>
        <translation>选择文件(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Make it</source>
        <translation>自动生成(&amp;M)</translation>
    </message>
    <message>
        <source>Inputs of the run</source>
        <translation>运行的输入</translation>
    </message>
    <message>
        <source>Runs and comparisons give these values to the inputs. Choose a file, or drop one on a row: an array of NumPy (.npy, or .npz with several), or an image.</source>
        <translation>运行和比较使用这些输入值。选择文件，或将文件拖放到某一行上：NumPy 数组（.npy，或含多个数组的 .npz）或图像。</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Give the input made values again</source>
        <translation>重新使用自动生成的值</translation>
    </message>
    <message>
        <source>&amp;Layout of the image</source>
        <translation>图像布局(&amp;L)</translation>
    </message>
    <message>
        <source>M&amp;ean</source>
        <translation>均值(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Scale</source>
        <translation>缩放(&amp;S)</translation>
    </message>
    <message>
        <source>Each element is (pixel − mean) / scale, pixels being from 0 to 255. One number, or three for red, green and blue: for ImageNet often 123.675, 116.28, 103.53 and 58.395, 57.12, 57.375</source>
        <translation>每个元素为（像素 − 均值）/ 缩放，像素为 0 到 255。一个数，或红、绿、蓝三个数：ImageNet 常用 123.675, 116.28, 103.53 和 58.395, 57.12, 57.375</translation>
    </message>
    <message>
        <source>Reading inputs</source>
        <translation>正在读取输入</translation>
    </message>
    <message>
        <source>made: %1</source>
        <translation>自动生成：%1</translation>
    </message>
    <message>
        <source>Values for %1</source>
        <translation>%1 的值</translation>
    </message>
    <message>
        <source>Arrays and images (*.npy *.npz *.png *.jpg *.jpeg *.bmp);;All files (*)</source>
        <translation>数组和图像 (*.npy *.npz *.png *.jpg *.jpeg *.bmp);;所有文件 (*)</translation>
    </message>
    <message>
        <source>The scale is one number or three, separated by commas; none is 0.</source>
        <translation>缩放为一个数或三个数，以逗号分隔；不能为 0。</translation>
    </message>
    <message>
        <source>The mean is one number or three, separated by commas.</source>
        <translation>均值为一个数或三个数，以逗号分隔。</translation>
    </message>
    <message>
        <source>The shape of this input is not of that layout.</source>
        <translation>此输入的形状不符合该布局。</translation>
    </message>
</context>
<context>
    <name>partita::InspectorPanel</name>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Open a module to inspect it.</source>
        <translation>打开模块后可在此查看。</translation>
    </message>
    <message>
        <source>Explaining</source>
        <translation>正在解释</translation>
    </message>
</context>
<context>
    <name>partita::InspectorStages</name>
    <message>
        <source>As read</source>
        <translation>读取时</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>显示的</translation>
    </message>
    <message>
        <source>Composite</source>
        <translation>复合</translation>
    </message>
    <message>
        <source>Annotate</source>
        <translation>标注</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>划分</translation>
    </message>
    <message>
        <source>, line %1</source>
        <translation>，第 %1 行</translation>
    </message>
    <message>
        <source> inside %1</source>
        <translation>，在 %1 内</translation>
    </message>
    <message>
        <source> in %1</source>
        <translation>，在 %1 中</translation>
    </message>
    <message>
        <source>Following operators</source>
        <translation>正在跟踪算子</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>nothing of it</source>
        <translation>已不存在</translation>
    </message>
    <message>
        <source>Came from, became</source>
        <translation>来源与去向</translation>
    </message>
    <message>
        <source>Of the same operator came %1</source>
        <translation>同一算子还产生了 %1</translation>
    </message>
</context>
<context>
    <name>partita::Journal</name>
    <message>
        <source>can&apos;t write into %1</source>
        <translation>无法写入 %1</translation>
    </message>
</context>
<context>
    <name>partita::LargeText</name>
    <message>
        <source>Colouring text</source>
        <translation>正在着色文本</translation>
    </message>
</context>
<context>
    <name>partita::Leaving</name>
    <message>
        <source>Save the project?</source>
        <translation>保存项目？</translation>
    </message>
    <message>
        <source>%1 has changes that were not saved.</source>
        <translation>%1 有未保存的更改。</translation>
    </message>
</context>
<context>
    <name>partita::LessonDraft</name>
    <message>
        <source>Open a module first</source>
        <translation>请先打开模块</translation>
    </message>
    <message>
        <source>The weights of this module are too large for a lesson.</source>
        <translation>该模块的权重对课程来说过大。</translation>
    </message>
    <message>
        <source>This graph can&apos;t be written as text: it is another one when it is read again.</source>
        <translation>该计算图无法写成文本：重新读取后会成为另一个计算图。</translation>
    </message>
    <message>
        <source>My lesson</source>
        <translation>我的课程</translation>
    </message>
    <message>
        <source>## The first page</source>
        <translation>## 第一页</translation>
    </message>
    <message>
        <source>This lesson has no page.</source>
        <translation>该课程没有页面。</translation>
    </message>
    <message>
        <source>Checking the lesson</source>
        <translation>正在检查课程</translation>
    </message>
    <message>
        <source>The lesson that was left can&apos;t be read.</source>
        <translation>无法读取上次留下的课程。</translation>
    </message>
    <message>
        <source>This graph is too large for a lesson: it has more than 5000 expressions.</source>
        <translation>该计算图对课程来说过大：其表达式超过 5000 个。</translation>
    </message>
</context>
<context>
    <name>partita::LessonEditor</name>
    <message>
        <source>A lesson is a graph with pages of text and questions. Open a graph, choose its backends, and begin.</source>
        <translation>课程由一个计算图和若干带文字与问题的页面组成。请打开计算图，选择后端，然后开始。</translation>
    </message>
    <message>
        <source>Another graph is open than the lesson&apos;s.</source>
        <translation>打开的不是该课程的计算图。</translation>
    </message>
    <message>
        <source>Open the lesson&apos;s</source>
        <translation>打开课程的计算图</translation>
    </message>
    <message>
        <source>Take the open one</source>
        <translation>采用打开的计算图</translation>
    </message>
    <message>
        <source>The lesson gets the graph that is open, and its backends</source>
        <translation>课程改用当前打开的计算图及其后端</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>The page shows the graph as it is in the window now: passes, assignments, order of backends</source>
        <translation>此页显示窗口中计算图的现状：各遍、指定和后端顺序</translation>
    </message>
    <message>
        <source>The view goes to:</source>
        <translation>视图转到：</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Save the lesson “%1” first?</source>
        <translation>先保存课程“%1”吗？</translation>
    </message>
    <message>
        <source>page %1 of the lesson</source>
        <translation>课程第 %1 页</translation>
    </message>
    <message>
        <source>## A page</source>
        <translation>## 一页</translation>
    </message>
    <message>
        <source>annotated</source>
        <translation>已标注</translation>
    </message>
    <message>
        <source>merged</source>
        <translation>已合并</translation>
    </message>
    <message>
        <source>partitioned</source>
        <translation>已划分</translation>
    </message>
    <message>
        <source>not divided</source>
        <translation>未划分</translation>
    </message>
    <message>
        <source>The graph is %1.</source>
        <translation>计算图：%1。</translation>
    </message>
    <message>
        <source>Save the lesson</source>
        <translation>保存课程</translation>
    </message>
    <message>
        <source>Lessons (*.json)</source>
        <translation>课程 (*.json)</translation>
    </message>
    <message>
        <source>%1 was written.</source>
        <translation>已写入 %1。</translation>
    </message>
    <message>
        <source>New lesson</source>
        <translation>新建课程</translation>
    </message>
    <message>
        <source>From the graph that is open</source>
        <translation>用当前打开的计算图</translation>
    </message>
    <message>
        <source>Restore unsaved lesson</source>
        <translation>恢复未保存的课程</translation>
    </message>
    <message>
        <source>Claims</source>
        <translation>断言</translation>
    </message>
    <message>
        <source>What is claimed of times holds here.</source>
        <translation>关于时间的断言在此成立。</translation>
    </message>
    <message>
        <source>The graph is divided otherwise than on this page.</source>
        <translation>计算图的划分与本页记录的不同。</translation>
    </message>
</context>
<context>
    <name>partita::LessonEnd</name>
    <message>
        <source>Save answers…</source>
        <translation>保存答案…</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>Forget the answers given here</source>
        <translation>清除此处给出的答案</translation>
    </message>
    <message>
        <source>Write the answers to a file that the teacher grades</source>
        <translation>把答案写入供教师评分的文件</translation>
    </message>
    <message>
        <source>For the teacher; a code will do</source>
        <translation>给教师看；写一个代号也行</translation>
    </message>
    <message>
        <source>Your name:</source>
        <translation>您的姓名：</translation>
    </message>
    <message>
        <source>Write your name first</source>
        <translation>请先写上姓名</translation>
    </message>
</context>
<context>
    <name>partita::LessonFileBar</name>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>试做</translation>
    </message>
    <message>
        <source>Faults</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Into the folder of your own lessons</source>
        <translation>保存到您自己的课程文件夹</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Page %1: %2</source>
        <translation>第 %1 页：%2</translation>
    </message>
    <message>
        <source>Go through it as a learner</source>
        <translation>以学习者身份走一遍</translation>
    </message>
    <message>
        <source>Mend the faults first</source>
        <translation>请先改正错误</translation>
    </message>
    <message>
        <source>Not saved yet.</source>
        <translation>尚未保存。</translation>
    </message>
    <message>
        <source>%1, changed</source>
        <translation>%1（已修改）</translation>
    </message>
</context>
<context>
    <name>partita::LessonHeading</name>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Chapter</source>
        <translation>章</translation>
    </message>
    <message>
        <source>Aim: what is learned, in a line</source>
        <translation>目标：用一行说明学到什么</translation>
    </message>
</context>
<context>
    <name>partita::LessonList</name>
    <message>
        <source>Checking lessons</source>
        <translation>正在检查课程</translation>
    </message>
</context>
<context>
    <name>partita::LessonPages</name>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Add page</source>
        <translation>添加页面</translation>
    </message>
    <message>
        <source>A page after this one, with the graph as it is in the window</source>
        <translation>在此页之后添加一页，计算图取窗口中的现状</translation>
    </message>
    <message>
        <source>Remove this page</source>
        <translation>移除此页</translation>
    </message>
    <message>
        <source>Move the page up</source>
        <translation>将此页上移</translation>
    </message>
    <message>
        <source>Move the page down</source>
        <translation>将此页下移</translation>
    </message>
    <message>
        <source>The page that was removed comes back</source>
        <translation>恢复被移除的页面</translation>
    </message>
</context>
<context>
    <name>partita::LessonsPanel</name>
    <message>
        <source>Check my selection</source>
        <translation>检查我的选择</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Choose a lesson</source>
        <translation>选择课程</translation>
    </message>
    <message>
        <source>Lesson text</source>
        <translation>课程内容</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>page %1 of the lesson</source>
        <translation>课程第 %1 页</translation>
    </message>
    <message>
        <source>Right.</source>
        <translation>正确。</translation>
    </message>
    <message>
        <source>Not yet.</source>
        <translation>还不对。</translation>
    </message>
    <message>
        <source>Missing: %1.</source>
        <translation>缺少：%1。</translation>
    </message>
    <message>
        <source>Too many: %1.</source>
        <translation>多选：%1。</translation>
    </message>
    <message>
        <source>Each lesson opens a small graph of its own and asks a question that you answer on it.</source>
        <translation>每一课会打开一个小计算图，并提出一个在图上作答的问题。</translation>
    </message>
    <message>
        <source>Predict the regions of the graph that is open</source>
        <translation>预测当前计算图的区域</translation>
    </message>
    <message>
        <source>## Predict

Which operators will be compiled together? Select those of one region on the graph (click, Ctrl+click, or a frame with Shift) and press **G**; do so for each region. Then compare with what the backends&apos; rules and merging give.</source>
        <translation>## 预测

哪些算子会一起编译？在图上选出同一区域的算子（单击、Ctrl+单击，或按住 Shift 框选），然后按 **G**；对每个区域都这样做。最后与后端规则和合并的结果比较。</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>Selected: %1.</source>
        <translation>已选：%1。</translation>
    </message>
    <message>
        <source>Nothing is selected: click on an operator, Ctrl+click on more.</source>
        <translation>尚未选择：单击一个算子，Ctrl+单击可多选。</translation>
    </message>
    <message>
        <source>This is the last page of the last lesson</source>
        <translation>这是最后一课的最后一页</translation>
    </message>
    <message>
        <source>Missing: %1, too many: %2.</source>
        <translation>缺少：%1 个，多选：%2 个。</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Compare your answer with the right one</source>
        <translation>将您的答案与正确答案比较</translation>
    </message>
    <message>
        <source>The lesson asks for this: answer its question first</source>
        <translation>课程正在问这个：请先回答它的问题</translation>
    </message>
    <message>
        <source>The next attempt names them.</source>
        <translation>下一次尝试会指出它们。</translation>
    </message>
    <message>
        <source>Save answers</source>
        <translation>保存答案</translation>
    </message>
    <message>
        <source>Answers (*.json)</source>
        <translation>答案 (*.json)</translation>
    </message>
    <message numerus="yes">
        <source>The panel Problems lists all %n faults.</source>
        <translation>
            <numerusform>“问题”面板列出全部 %n 个错误。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pattern(s)</source>
        <translation>
            <numerusform>%n 个模式</numerusform>
        </translation>
    </message>
    <message>
        <source>**%1** has no rule for an operator of this graph.</source>
        <translation>**%1** 没有针对此计算图中算子的规则。</translation>
    </message>
    <message>
        <source>**%1** has rules for %2.</source>
        <translation>**%1** 有针对以下各项的规则：%2。</translation>
    </message>
    <message>
        <source>This is the last page of the lesson that you are writing</source>
        <translation>这是您正在编写的课程的最后一页</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n question(s) right, %2 of %3 points. A right answer at the first attempt counts two.</source>
        <translation>
            <numerusform>%n 题中答对 %1 题，%3 分中得 %2 分。首次答对计两分。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n region(s) now, and %1 cross their boundaries.</source>
        <translation>
            <numerusform>现有 %n 个区域，%1 越过其边界。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n region(s) right at attempt %2.</source>
        <translation>
            <numerusform>第 %2 次尝试：%n 个区域中 %1 个正确。</numerusform>
        </translation>
    </message>
    <message>
        <source>No question is answered yet</source>
        <translation>尚未回答任何问题</translation>
    </message>
    <message>
        <source>Take back first what you assigned by hand: it would be in no file of answers</source>
        <translation>请先撤回手动指定的内容：答案文件不包含它们</translation>
    </message>
    <message>
        <source>Switch the passes&apos; options back first</source>
        <translation>请先将各遍的选项改回</translation>
    </message>
    <message>
        <source>Compare your prediction first, or end it</source>
        <translation>请先比较或结束预测</translation>
    </message>
    <message>
        <source>Their backend has no rule that takes %1.</source>
        <translation>其后端没有接受 %1 的规则。</translation>
    </message>
    <message>
        <source>Another backend takes %1.</source>
        <translation>另一个后端接受 %1。</translation>
    </message>
    <message>
        <source>Save answers…</source>
        <translation>保存答案…</translation>
    </message>
    <message numerus="yes">
        <source>The course: %1 of %2 points, %3 of %n lesson(s) done, %4 minutes at the questions.</source>
        <translation>
            <numerusform>课程：%2 分中得 %1 分，%n 课中完成 %3 课，答题用时 %4 分钟。</numerusform>
        </translation>
    </message>
    <message>
        <source>division</source>
        <translation>划分</translation>
    </message>
    <message>
        <source>regions</source>
        <translation>区域</translation>
    </message>
    <message>
        <source>values moved</source>
        <translation>搬运的值</translation>
    </message>
    <message>
        <source>operations</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>A line stands for what you have not answered yet.</source>
        <translation>横线表示您尚未回答的内容。</translation>
    </message>
    <message>
        <source>Right here, but on %1 it refuses what it should take.</source>
        <translation>在这里正确，但在%1上，它拒绝了应当接受的。</translation>
    </message>
    <message>
        <source>Right here, but on %1 it takes too much.</source>
        <translation>在这里正确，但在%1上，它接受得太多。</translation>
    </message>
    <message numerus="yes">
        <source>%n region(s); at most %1</source>
        <translation>
            <numerusform>%n 个区域；至多 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of the operations on backends; at least %2</source>
        <translation>%1 的运算在后端上；至少 %2</translation>
    </message>
    <message>
        <source>%1 of weights in the largest region; at most %2</source>
        <translation>最大的区域有 %1 权重；至多 %2</translation>
    </message>
    <message>
        <source>%1 cross the boundaries; at most %2</source>
        <translation>%1 跨越边界；至多 %2</translation>
    </message>
    <message>
        <source>%1 of the time; at most %2</source>
        <translation>时间的 %1；至多 %2</translation>
    </message>
    <message numerus="yes">
        <source>%n rule(s) changed; at most %1</source>
        <translation>
            <numerusform>改了 %n 条规则；至多 %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::MainWindow</name>
    <message>
        <source>There is not enough memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>%1 was given up. What was open before is as it was.</source>
        <translation>已放弃：%1。之前打开的内容保持不变。</translation>
    </message>
    <message>
        <source>The run failed</source>
        <translation>运行失败</translation>
    </message>
    <message>
        <source>%1 was written.</source>
        <translation>已写出 %1。</translation>
    </message>
    <message>
        <source>The settings hold until you leave: %1 can&apos;t be written.</source>
        <translation>设置仅在本次有效：无法写入 %1。</translation>
    </message>
    <message>
        <source>What is not saved is not kept for a crash</source>
        <translation>未保存的内容在崩溃时不会保留</translation>
    </message>
    <message>
        <source>%1

The work goes on; save the project to be sure of it (Ctrl+S).</source>
        <translation>%1

可以继续工作；为保险起见，请保存项目（Ctrl+S）。</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>The model&apos;s weights can&apos;t be read</source>
        <translation>无法读取模型的权重</translation>
    </message>
    <message>
        <source>Predicting</source>
        <translation>正在预测</translation>
    </message>
    <message>
        <source>The file was read again. Undo brings your own changes back.</source>
        <translation>文件已重新读取。撤销可恢复你的修改。</translation>
    </message>
    <message>
        <source>The backends are %1 and %2, which run a model fastest. As in TVM: Ctrl+Alt+T.</source>
        <translation>后端是 %1 和 %2，它们运行模型最快。与 TVM 一致：Ctrl+Alt+T。</translation>
    </message>
    <message>
        <source>The backends are %1 and %2, as in TVM. For speed: Ctrl+Alt+S.</source>
        <translation>后端是 %1 和 %2，与 TVM 一致。求快：Ctrl+Alt+S。</translation>
    </message>
    <message>
        <source>%1 was written, with operators that TVM does not have; “Lower to Relay&apos;s operators first” writes them as Relay&apos;s own.</source>
        <translation>已写入 %1，其中有 TVM 没有的算子；“先降为 Relay 的算子”会用 Relay 自己的算子来写它们。</translation>
    </message>
    <message>
        <source>The numbers were not taken</source>
        <translation>未采用这些数字</translation>
    </message>
</context>
<context>
    <name>partita::MemoryChart</name>
    <message>
        <source>Memory at each step</source>
        <translation>每一步的内存</translation>
    </message>
    <message>
        <source>Step %1 of %2: %3</source>
        <translation>第 %1 步，共 %2 步：%3</translation>
    </message>
    <message>
        <source>step 1</source>
        <translation>第 1 步</translation>
    </message>
    <message>
        <source>Step %1: %2, %3</source>
        <translation>第 %1 步：%2，%3</translation>
    </message>
</context>
<context>
    <name>partita::Minimap</name>
    <message>
        <source>Overview of the graph</source>
        <translation>计算图缩略图</translation>
    </message>
    <message>
        <source>Overview: click or drag to move the view</source>
        <translation>缩略图：点击或拖动以移动视图</translation>
    </message>
</context>
<context>
    <name>partita::MissingBackends</name>
    <message>
        <source>Missing backend</source>
        <translation>缺少后端</translation>
    </message>
    <message>
        <source>Find it…</source>
        <translation>查找…</translation>
    </message>
    <message>
        <source>Leave it out</source>
        <translation>略去</translation>
    </message>
    <message>
        <source>The backend &lt;b&gt;%1&lt;/b&gt; of this project can&apos;t be loaded. The project keeps it.</source>
        <translation>无法加载此项目的后端 &lt;b&gt;%1&lt;/b&gt;。项目会保留它。</translation>
    </message>
    <message>
        <source>Find %1</source>
        <translation>查找 %1</translation>
    </message>
    <message>
        <source>Backend descriptions (*.json);;All files (*)</source>
        <translation>后端描述 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>There is a backend named %1 already.</source>
        <translation>已有名为 %1 的后端。</translation>
    </message>
    <message>
        <source>Not the backend that is missing</source>
        <translation>不是缺少的后端</translation>
    </message>
    <message>
        <source>find %1</source>
        <translation>查找 %1</translation>
    </message>
    <message>
        <source>leave %1 out</source>
        <translation>略去 %1</translation>
    </message>
</context>
<context>
    <name>partita::ModelTabs</name>
    <message>
        <source>Open models</source>
        <translation>打开的模型</translation>
    </message>
    <message>
        <source>Start page</source>
        <translation>起始页</translation>
    </message>
</context>
<context>
    <name>partita::NodeAttributesDialog</name>
    <message>
        <source>Attributes on nodes</source>
        <translation>节点上的属性</translation>
    </message>
    <message>
        <source>A tick: always on the node. A line: where it is not at its default. Empty: never.</source>
        <translation>勾选：始终显示在节点上。横线：不为默认值时显示。空：从不显示。</translation>
    </message>
    <message>
        <source>&amp;As usual</source>
        <translation>恢复默认(&amp;A)</translation>
    </message>
    <message>
        <source>All attributes where they are not at their defaults</source>
        <translation>所有不为默认值的属性</translation>
    </message>
</context>
<context>
    <name>partita::NumbersPanel</name>
    <message>
        <source>&amp;Heat</source>
        <translation>热度(&amp;H)</translation>
    </message>
    <message>
        <source>Drop a file with numbers of operators on the window: CSV with a line such as name,time_us or number,cycles first, or node data of Model Explorer. Two columns are also subtracted.</source>
        <translation>将带有算子数字的文件拖到窗口上：首行形如 name,time_us 或 number,cycles 的 CSV，或 Model Explorer 的节点数据。有两列时还会显示其差。</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Regions</source>
        <translation>区域</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Column of the heat</source>
        <translation>热度所用的列</translation>
    </message>
    <message>
        <source>Colour operators by this column</source>
        <translation>按此列为算子着色</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>Reading numbers</source>
        <translation>读取数字</translation>
    </message>
    <message>
        <source>%1: %2 of %3 operators, sum %4; rows of no operator here: %5</source>
        <translation>%1：%3 个算子中的 %2 个，合计 %4；不属于此处任何算子的行：%5</translation>
    </message>
    <message>
        <source>in no block</source>
        <translation>不在任何块中</translation>
    </message>
    <message>
        <source>Only the %1 largest are listed</source>
        <translation>仅列出最大的 %1 个</translation>
    </message>
</context>
<context>
    <name>partita::OperatorDialog</name>
    <message>
        <source>Insert an operator</source>
        <translation>插入算子</translation>
    </message>
    <message>
        <source>Find an operator</source>
        <translation>查找算子</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Insert</source>
        <translation>插入</translation>
    </message>
    <message>
        <source>No operator is called that</source>
        <translation>没有这个名称的算子</translation>
    </message>
    <message numerus="yes">
        <source>a tuple of the %n selected</source>
        <translation>
            <numerusform>由所选 %n 个组成的元组</numerusform>
        </translation>
    </message>
    <message>
        <source>unknown type</source>
        <translation>未知类型</translation>
    </message>
    <message>
        <source>a new input, %1</source>
        <translation>新输入，%1</translation>
    </message>
    <message>
        <source>a constant of zeros, %1</source>
        <translation>全零常量，%1</translation>
    </message>
    <message>
        <source>a constant of ones, %1</source>
        <translation>全一常量，%1</translation>
    </message>
    <message>
        <source>Gives %1</source>
        <translation>结果为 %1</translation>
    </message>
</context>
<context>
    <name>partita::OperatorSheet</name>
    <message>
        <source>integer</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>True or False</source>
        <translation>True 或 False</translation>
    </message>
    <message>
        <source>number</source>
        <translation>数</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>element type</source>
        <translation>元素类型</translation>
    </message>
    <message>
        <source>integers</source>
        <translation>整数列表</translation>
    </message>
    <message>
        <source>any value</source>
        <translation>任意值</translation>
    </message>
    <message>
        <source>one element of the result from one of each operand</source>
        <translation>结果的一个元素来自每个操作数的一个元素</translation>
    </message>
    <message>
        <source>one element from one of each operand, after broadcasting</source>
        <translation>广播之后，一个元素来自每个操作数的一个元素</translation>
    </message>
    <message>
        <source>each element of the result is one of an operand</source>
        <translation>结果的每个元素都是某个操作数的一个元素</translation>
    </message>
    <message>
        <source>one element of the result from many</source>
        <translation>结果的一个元素来自许多元素</translation>
    </message>
    <message>
        <source>sums of products: elementwise operators can follow in its loop</source>
        <translation>乘积之和：逐元素算子可以跟在其循环中</translation>
    </message>
    <message>
        <source>nothing is known: it is never fused</source>
        <translation>未知：从不融合</translation>
    </message>
    <message>
        <source>Attribute</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>此处</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>含义</translation>
    </message>
    <message>
        <source>must be given</source>
        <translation>必须给出</translation>
    </message>
    <message>
        <source>cannot be written as ONNX</source>
        <translation>无法写成 ONNX</translation>
    </message>
    <message>
        <source>runs on default; generated C can compute it</source>
        <translation>可在 default 上运行；生成的 C 代码可以计算它</translation>
    </message>
    <message>
        <source>runs on default; generated C can&apos;t compute it</source>
        <translation>可在 default 上运行；生成的 C 代码不能计算它</translation>
    </message>
    <message>
        <source>nothing here can run it</source>
        <translation>此处没有可以运行它的后端</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>What the operator is</source>
        <translation>该算子是什么</translation>
    </message>
    <message>
        <source>Operator %1</source>
        <translation>算子 %1</translation>
    </message>
    <message>
        <source>Shapes here</source>
        <translation>此处的形状</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>One element of the result, in C</source>
        <translation>结果的一个元素（C 语言）</translation>
    </message>
    <message>
        <source>Result and operands</source>
        <translation>结果与操作数</translation>
    </message>
    <message>
        <source>Names</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Executors</source>
        <translation>执行</translation>
    </message>
    <message>
        <source>Example</source>
        <translation>示例</translation>
    </message>
</context>
<context>
    <name>partita::OutlineModel</name>
    <message>
        <source>Functions</source>
        <translation>函数</translation>
    </message>
    <message>
        <source>Regions (%1)</source>
        <translation>区域 (%1)</translation>
    </message>
    <message>
        <source>After partitioning (%1)</source>
        <translation>划分之后 (%1)</translation>
    </message>
    <message>
        <source>Double-click or Enter: open</source>
        <translation>双击或 Enter：打开</translation>
    </message>
    <message>
        <source>Sub-function for %1. Double-click or Enter: open</source>
        <translation>%1 的子函数。双击或 Enter：打开</translation>
    </message>
    <message>
        <source>%1 · tuples only</source>
        <translation>%1 · 仅元组</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n alike</source>
        <translation>
            <numerusform>%1，相同 %n 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n region(s) of the same operators
Together: %1, %2 across their borders</source>
        <translation>
            <numerusform>算子相同的 %n 个区域
合计：%1，跨边界 %2</numerusform>
        </translation>
    </message>
    <message>
        <source>Blocks (%1)</source>
        <translation>块 (%1)</translation>
    </message>
    <message>
        <source>%1
%2, %3, %4, %5 across its border</source>
        <translation>%1
%2，%3，%4，跨边界 %5</translation>
    </message>
    <message numerus="yes">
        <source>%n input(s)</source>
        <translation>
            <numerusform>%n 个输入</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n output(s)</source>
        <translation>
            <numerusform>%n 个输出</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::OutlinePanel</name>
    <message>
        <source>Filter functions and regions</source>
        <translation>筛选函数与区域</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>大纲</translation>
    </message>
    <message>
        <source>Listing functions</source>
        <translation>正在列出函数</translation>
    </message>
</context>
<context>
    <name>partita::PageTextEditor</name>
    <message>
        <source>Text of the page, in Markdown</source>
        <translation>页面文字（Markdown）</translation>
    </message>
    <message>
        <source>Markdown: ## heading, **bold**, `code`, - list</source>
        <translation>Markdown：## 标题、**粗体**、`代码`、- 列表</translation>
    </message>
    <message>
        <source>As it is read</source>
        <translation>阅读时的样子</translation>
    </message>
</context>
<context>
    <name>partita::PageTurner</name>
    <message>
        <source>Back</source>
        <translation>上一页</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一页</translation>
    </message>
    <message>
        <source>Next lesson</source>
        <translation>下一课</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>pages</comment>
        <translation>第 %1 页，共 %2 页</translation>
    </message>
</context>
<context>
    <name>partita::Pages</name>
    <message>
        <source>Open functions</source>
        <translation>打开的函数</translation>
    </message>
    <message>
        <source>@main partitioned</source>
        <translation>@main（已划分）</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>The graph is shown as it is after this decision; a click shows the result</source>
        <translation>图显示的是这一决定之后的状态；点击可显示结果</translation>
    </message>
    <message>
        <source>The graph shows the regions that you marked; a click ends it and shows the result</source>
        <translation>图中显示您标记的区域；单击即可结束并显示结果</translation>
    </message>
</context>
<context>
    <name>partita::Panels</name>
    <message>
        <source>Panels</source>
        <translation>面板</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>大纲</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Timing</source>
        <translation>耗时</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Coverage</source>
        <translation>覆盖率</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>There is no region to cut out yet: annotate first (F6), or let the whole flow run (F9).</source>
        <translation>还没有可切出的区域：请先标注 (F6)，或执行整个流程 (F9)。</translation>
    </message>
    <message>
        <source>Compare your prediction first, or end it</source>
        <translation>请先比较或结束预测</translation>
    </message>
    <message>
        <source>Lesson editor</source>
        <translation>课程编辑器</translation>
    </message>
    <message>
        <source>Problems (%1)</source>
        <translation>问题（%1）</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数字</translation>
    </message>
</context>
<context>
    <name>partita::PlaceLinks</name>
    <message>
        <source>as the link says</source>
        <translation>如链接所述</translation>
    </message>
    <message>
        <source>No operator here is %1</source>
        <translation>此处没有算子 %1</translation>
    </message>
</context>
<context>
    <name>partita::PlacementCurve</name>
    <message>
        <source>&amp;Use this point</source>
        <translation>使用此点(&amp;U)</translation>
    </message>
    <message>
        <source>Fewer regions</source>
        <translation>更少区域</translation>
    </message>
    <message>
        <source>Fewer weights on backends</source>
        <translation>后端上更少权重</translation>
    </message>
    <message>
        <source>What there should be less of</source>
        <translation>要减少的内容</translation>
    </message>
    <message>
        <source>Placements of the curve</source>
        <translation>曲线上的放置</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Regions</source>
        <translation>区域</translation>
    </message>
    <message>
        <source>Weights on backends</source>
        <translation>后端上的权重</translation>
    </message>
    <message>
        <source>MB of weights on backends</source>
        <translation>后端上权重的 MB</translation>
    </message>
    <message>
        <source>regions</source>
        <translation>区域</translation>
    </message>
    <message>
        <source>predicted ms</source>
        <translation>预测 ms</translation>
    </message>
</context>
<context>
    <name>partita::PlacementDialog</name>
    <message>
        <source>&amp;Move it</source>
        <translation>移动(&amp;M)</translation>
    </message>
    <message>
        <source>Placed by time</source>
        <translation>已按时间放置</translation>
    </message>
    <message>
        <source>Operators that could also be elsewhere, the smallest loss first:</source>
        <translation>也可放在别处的算子，损失最小的在前：</translation>
    </message>
    <message>
        <source>&amp;Save the placement…</source>
        <translation>保存放置(&amp;S)…</translation>
    </message>
    <message>
        <source>A run takes %1; by the rules it takes %2.</source>
        <translation>一次运行需 %1；按规则需 %2。</translation>
    </message>
    <message>
        <source>A run takes %1. The rules&apos; placement stays: no other one was faster by more than the noise.</source>
        <translation>一次运行需 %1。保留规则的放置：没有其他放置的改进超过噪声。</translation>
    </message>
    <message>
        <source>Predictions differ from measurements by %1 in the median.</source>
        <translation>预测与实测相差的中位数为 %1。</translation>
    </message>
    <message>
        <source>Placement</source>
        <translation>放置</translation>
    </message>
    <message>
        <source>Regions</source>
        <translation>区域</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Placements</source>
        <translation>放置</translation>
    </message>
    <message>
        <source>chosen</source>
        <translation>已选</translation>
    </message>
    <message>
        <source>by the rules</source>
        <translation>按规则</translation>
    </message>
    <message>
        <source>rules in the order %1</source>
        <translation>规则，顺序为 %1</translation>
    </message>
    <message>
        <source>random mixture %1</source>
        <translation>随机混合 %1</translation>
    </message>
    <message>
        <source>solution %1</source>
        <translation>解 %1</translation>
    </message>
    <message>
        <source>%1 alone</source>
        <translation>仅 %1</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Is on</source>
        <translation>现在位于</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>Alone</source>
        <translation>单独</translation>
    </message>
    <message>
        <source>With others</source>
        <translation>连同其他</translation>
    </message>
    <message>
        <source>Contested operators</source>
        <translation>有争议的算子</translation>
    </message>
    <message>
        <source>What a run takes more if this operator alone moves</source>
        <translation>只移动此算子时，一次运行多用的时间</translation>
    </message>
    <message>
        <source>What a run takes more if this operator moves and others may follow</source>
        <translation>移动此算子且其他算子可随之移动时，一次运行多用的时间</translation>
    </message>
    <message>
        <source>Now: %1
Then: %2</source>
        <translation>现在：%1
之后：%2</translation>
    </message>
    <message>
        <source>Save the placement</source>
        <translation>保存放置</translation>
    </message>
    <message>
        <source>Placements (*.json)</source>
        <translation>放置 (*.json)</translation>
    </message>
    <message>
        <source>Move &amp;with others</source>
        <translation>连同其他移动(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Placements</source>
        <translation>放置(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Operators</source>
        <translation>算子(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Fewer regions or weights</source>
        <translation>更少区域或权重(&amp;F)</translation>
    </message>
    <message>
        <source>Predicted and &amp;measured</source>
        <translation>预测与测量(&amp;M)</translation>
    </message>
    <message>
        <source>a placement of the curve</source>
        <translation>曲线上的放置</translation>
    </message>
    <message>
        <source>all on default</source>
        <translation>全部在 default</translation>
    </message>
    <message>
        <source>&amp;Use this placement</source>
        <translation>使用此放置(&amp;U)</translation>
    </message>
    <message>
        <source>another placement</source>
        <translation>另一放置</translation>
    </message>
    <message>
        <source>Writes how the graph is divided now</source>
        <translation>写出图现在的划分</translation>
    </message>
    <message>
        <source>&amp;Take it back</source>
        <translation>撤回(&amp;T)</translation>
    </message>
    <message>
        <source>The graph is divided as before (Esc)</source>
        <translation>图恢复为之前的划分（Esc）</translation>
    </message>
    <message>
        <source>Place by time</source>
        <translation>按时间放置</translation>
    </message>
    <message>
        <source>From the costs of its operators it is predicted to take %1; no placement is predicted to take less than %2.</source>
        <translation>根据各算子的代价，预测它需要 %1；没有任何放置的预测低于 %2。</translation>
    </message>
    <message>
        <source>With room for all weights (limits.weight_bytes) that would be %1.</source>
        <translation>若放得下全部权重（limits.weight_bytes），则为 %1。</translation>
    </message>
</context>
<context>
    <name>partita::PlacementTimes</name>
    <message>
        <source>Predicted and measured times</source>
        <translation>预测与测得的时间</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>区域</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>测得</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差</translation>
    </message>
    <message>
        <source>The module was changed since it was placed.</source>
        <translation>放置之后模块已被更改。</translation>
    </message>
    <message>
        <source>This division is predicted to take %1, of it %2 for values that cross.</source>
        <translation>预测此划分用时 %1，其中跨越的值用时 %2。</translation>
    </message>
    <message>
        <source>Its last run took %1 at least.</source>
        <translation>其上次运行至少用时 %1。</translation>
    </message>
    <message>
        <source>Run it (F5) to see what it takes.</source>
        <translation>运行 (F5) 以查看用时。</translation>
    </message>
    <message>
        <source>on default</source>
        <translation>在 default 上</translation>
    </message>
</context>
<context>
    <name>partita::Placing</name>
    <message>
        <source>Placing was cancelled; what was measured is kept</source>
        <translation>放置已取消；已测量的内容会保留</translation>
    </message>
    <message>
        <source>Placing is going on</source>
        <translation>正在放置</translation>
    </message>
    <message>
        <source>Choose backends first (Ctrl+B)</source>
        <translation>请先选择后端 (Ctrl+B)</translation>
    </message>
    <message>
        <source>The file has annotations of its own</source>
        <translation>文件自带标注</translation>
    </message>
    <message>
        <source>The module is being divided</source>
        <translation>正在划分模块</translation>
    </message>
    <message>
        <source>Place by time</source>
        <translation>按时间放置</translation>
    </message>
    <message>
        <source>The module or its division was changed while it was measured; place again</source>
        <translation>测量期间模块或划分已更改；请重新放置</translation>
    </message>
    <message>
        <source>place by time</source>
        <translation>按时间放置</translation>
    </message>
    <message>
        <source>Placed by time: %1 instead of %2 by the rules</source>
        <translation>已按时间放置：%1，而按规则为 %2</translation>
    </message>
    <message>
        <source>move %1 with others</source>
        <translation>连同其他移动 %1</translation>
    </message>
    <message>
        <source>Placed by time: the rules&apos; placement stays, none was faster by more than the noise</source>
        <translation>按时间放置：保留规则的放置，没有哪个快得超过噪声</translation>
    </message>
</context>
<context>
    <name>partita::PointedCalls</name>
    <message>
        <source>Use selection</source>
        <translation>采用所选</translation>
    </message>
    <message>
        <source>Another graph is open than the lesson&apos;s</source>
        <translation>打开的不是该课程的计算图</translation>
    </message>
    <message numerus="yes">
        <source>Select %n operator(s) on the graph first</source>
        <translation>
            <numerusform>请先在计算图上选择 %n 个算子</numerusform>
        </translation>
    </message>
    <message>
        <source>Takes the selected operators; none: takes all back</source>
        <translation>采用所选算子；未选择时全部撤回</translation>
    </message>
</context>
<context>
    <name>partita::PredictionView</name>
    <message>
        <source>Mark as a region</source>
        <translation>标记为区域</translation>
    </message>
    <message>
        <source>Take out</source>
        <translation>取出</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Marked regions</source>
        <translation>已标记的区域</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>My regions</source>
        <translation>我的区域</translation>
    </message>
    <message>
        <source>Partita&apos;s regions</source>
        <translation>Partita 的区域</translation>
    </message>
    <message>
        <source>Select operators on the graph first: click, Ctrl+click, or a frame with Shift</source>
        <translation>请先在图上选择算子：单击、Ctrl+单击，或按住 Shift 框选</translation>
    </message>
    <message>
        <source>The selected operators are one region (G)</source>
        <translation>所选算子为一个区域 (G)</translation>
    </message>
    <message>
        <source>The selected operators are in no region</source>
        <translation>所选算子不属于任何区域</translation>
    </message>
    <message>
        <source>Mark a region first</source>
        <translation>请先标记一个区域</translation>
    </message>
    <message>
        <source>Hold your regions against what the backends&apos; rules and merging give</source>
        <translation>将您的区域与后端规则及合并的结果比较</translation>
    </message>
    <message>
        <source>Comparing the prediction</source>
        <translation>正在比较预测</translation>
    </message>
    <message>
        <source>All right.</source>
        <translation>全部正确。</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n region(s) right.</source>
        <translation>
            <numerusform>%n 个区域中 %1 个正确。</numerusform>
        </translation>
    </message>
    <message>
        <source>show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>No region is marked yet.</source>
        <translation>还没有标记区域。</translation>
    </message>
    <message>
        <source>What is right and what is not appears here. The panels that tell of the regions, such as Steps, come back with it.</source>
        <translation>这里会显示哪些正确、哪些不正确。届时“步骤”等透露区域的面板也会重新出现。</translation>
    </message>
</context>
<context>
    <name>partita::Presentation</name>
    <message>
        <source>What is shown</source>
        <translation>显示的内容</translation>
    </message>
    <message>
        <source>F11 plays the next decision, Shift+F11 the one before. Esc leaves the presentation.</source>
        <translation>F11 播放下一个决定，Shift+F11 播放上一个。Esc 退出演示。</translation>
    </message>
    <message>
        <source>Q shows the question.</source>
        <translation>Q 显示问题。</translation>
    </message>
    <message>
        <source>Lesson text</source>
        <translation>课程文字</translation>
    </message>
    <message>
        <source>Page Down turns the page.</source>
        <translation>Page Down 翻页。</translation>
    </message>
    <message>
        <source>Shift+Q gives a minute.</source>
        <translation>Shift+Q 给一分钟。</translation>
    </message>
    <message>
        <source>Time is up.</source>
        <translation>时间到。</translation>
    </message>
</context>
<context>
    <name>partita::ProblemsModel</name>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
</context>
<context>
    <name>partita::ProblemsPanel</name>
    <message>
        <source>No problems.</source>
        <translation>没有问题。</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
</context>
<context>
    <name>partita::QueryColoursDialog</name>
    <message>
        <source>Colours by query</source>
        <translation>按查询着色</translation>
    </message>
    <message>
        <source>Nodes that a query finds have its colour; of several, the first. Queries are those of Find (Ctrl+F): op:nn.conv2d shape:*x3x*, flops:&gt;1G, name:/layer[0-3]/</source>
        <translation>查询找到的节点显示其颜色；若有多个，取第一个。查询与查找（Ctrl+F）相同：op:nn.conv2d shape:*x3x*、flops:&gt;1G、name:/layer[0-3]/</translation>
    </message>
    <message>
        <source>Query of colour %1</source>
        <translation>颜色 %1 的查询</translation>
    </message>
    <message>
        <source>There is no key “%1:”</source>
        <translation>没有键“%1:”</translation>
    </message>
    <message>
        <source>“%1” can&apos;t be read</source>
        <translation>无法读取“%1”</translation>
    </message>
</context>
<context>
    <name>partita::QuestionEditor</name>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>This page asks nothing</source>
        <translation>此页不提问</translation>
    </message>
    <message>
        <source>Select the operators of a region</source>
        <translation>选择一个区域的算子</translation>
    </message>
    <message>
        <source>Which backend takes them?</source>
        <translation>哪个后端接受它们？</translation>
    </message>
    <message>
        <source>Draw the path that forbids merging</source>
        <translation>指出阻止合并的路径</translation>
    </message>
    <message>
        <source>How many?</source>
        <translation>有多少？</translation>
    </message>
    <message>
        <source>Choose a reason</source>
        <translation>选择原因</translation>
    </message>
    <message>
        <source>Write the rule</source>
        <translation>编写规则</translation>
    </message>
    <message>
        <source>Make it faster</source>
        <translation>使其更快</translation>
    </message>
    <message>
        <source>Mark all regions</source>
        <translation>标出所有区域</translation>
    </message>
    <message>
        <source>This is right</source>
        <translation>这是正确答案</translation>
    </message>
    <message>
        <source>Hint for this answer</source>
        <translation>为此答案写提示</translation>
    </message>
    <message>
        <source>Answer it as a learner:</source>
        <translation>以学习者身份回答：</translation>
    </message>
    <message>
        <source>Why that is right</source>
        <translation>为什么正确</translation>
    </message>
    <message>
        <source>What helps whoever answered wrong</source>
        <translation>答错时的帮助</translation>
    </message>
    <message>
        <source>Said of the right answer:</source>
        <translation>答对时显示：</translation>
    </message>
    <message>
        <source>Said of wrong answers without a hint:</source>
        <translation>答错且无专门提示时显示：</translation>
    </message>
    <message>
        <source>Right: %1</source>
        <translation>正确答案：%1</translation>
    </message>
    <message>
        <source>The right answer is not known yet.</source>
        <translation>尚不知道正确答案。</translation>
    </message>
    <message>
        <source>Select operators on the graph.</source>
        <translation>请在计算图上选择算子。</translation>
    </message>
    <message>
        <source>Selected: %1</source>
        <translation>已选：%1</translation>
    </message>
    <message>
        <source>Another graph is open than the lesson&apos;s</source>
        <translation>打开的不是该课程的计算图</translation>
    </message>
</context>
<context>
    <name>partita::QuestionSubject</name>
    <message>
        <source>regions of the graph</source>
        <translation>计算图的区域</translation>
    </message>
    <message>
        <source>inputs of a region</source>
        <translation>区域的输入</translation>
    </message>
    <message>
        <source>outputs of a region</source>
        <translation>区域的输出</translation>
    </message>
    <message>
        <source>What is counted:</source>
        <translation>计数对象：</translation>
    </message>
    <message>
        <source>The region of:</source>
        <translation>所属区域：</translation>
    </message>
    <message>
        <source>Of each of:</source>
        <translation>分别针对：</translation>
    </message>
    <message>
        <source>Between the regions of:</source>
        <translation>位于这些区域之间：</translation>
    </message>
    <message>
        <source>One choice on each line</source>
        <translation>每行一个选项</translation>
    </message>
    <message>
        <source>Choices:</source>
        <translation>选项：</translation>
    </message>
    <message>
        <source>any number</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>Regions, at most:</source>
        <translation>区域数上限：</translation>
    </message>
    <message>
        <source>Bytes across boundaries, at most:</source>
        <translation>越界字节数上限：</translation>
    </message>
    <message>
        <source>It shall take:</source>
        <translation>应接受：</translation>
    </message>
    <message>
        <source>It shall leave:</source>
        <translation>应不接受：</translation>
    </message>
    <message>
        <source>A rule of backend:</source>
        <translation>所属后端：</translation>
    </message>
    <message>
        <source>For operator:</source>
        <translation>针对算子：</translation>
    </message>
</context>
<context>
    <name>partita::QuestionView</name>
    <message>
        <source>Number:</source>
        <translation>数量：</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>Select operators on the graph first: click, Ctrl+click</source>
        <translation>请先在图上选择算子：单击、Ctrl+单击</translation>
    </message>
    <message>
        <source>Choose a reason first</source>
        <translation>请先选择一个理由</translation>
    </message>
    <message>
        <source>Write the rule first</source>
        <translation>请先写出规则</translation>
    </message>
    <message>
        <source>Choose a backend for each operator first</source>
        <translation>请先为每个算子选择后端</translation>
    </message>
</context>
<context>
    <name>partita::RecoveryDialog</name>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的更改</translation>
    </message>
    <message>
        <source>Partita closed unexpectedly. Choose the unsaved work to recover now; the rest is offered again at the next start.</source>
        <translation>Partita 未正常结束。以下更改尚未保存；您现在可继续其中之一，其余的可在下次启动时继续。</translation>
    </message>
    <message>
        <source>changed %1</source>
        <translation>更改于 %1</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Throw away</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>暂不</translation>
    </message>
</context>
<context>
    <name>partita::ReportFiles</name>
    <message>
        <source>Open the model first</source>
        <translation>请先打开模型</translation>
    </message>
    <message>
        <source>%1 is what another program said of a model. Open the model, then drop the file on it; or drop both together.</source>
        <translation>%1 是其他程序对某个模型的说明。请先打开该模型，再把文件拖到上面；或者把两者一起拖入。</translation>
    </message>
    <message>
        <source>The report was not taken</source>
        <translation>报告未被采用</translation>
    </message>
    <message>
        <source>Divided as %1 did: %2 of %3 rows are of operators here; the rest is among the problems.</source>
        <translation>已按 %1 的方式划分：%3 行中有 %2 行属于这里的算子；其余见问题列表。</translation>
    </message>
    <message>
        <source>Open what another program said of the model</source>
        <translation>打开其他程序对此模型的说明</translation>
    </message>
    <message>
        <source>Profiles, logs, dumps (*.json *.log *.txt *.csv *.etdp);;All files (*)</source>
        <translation>性能记录、日志、转储 (*.json *.log *.txt *.csv *.etdp);;所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>partita::RulesBar</name>
    <message>
        <source>Whose rules</source>
        <translation>谁的规则</translation>
    </message>
    <message>
        <source>What the last edit changed</source>
        <translation>上次编辑的效果</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新建</translation>
    </message>
    <message>
        <source>A new backend, asked first</source>
        <translation>新后端，最先询问</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save the description to its file</source>
        <translation>将描述保存到其文件</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Save the description to another file</source>
        <translation>将描述保存到另一个文件</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Read the file again; undo takes it back</source>
        <translation>重新读取文件；可撤销</translation>
    </message>
    <message>
        <source>Back to what ships</source>
        <translation>恢复为自带的内容</translation>
    </message>
    <message>
        <source>No backend is chosen</source>
        <translation>未选择后端</translation>
    </message>
    <message>
        <source>shipped</source>
        <translation>随附</translation>
    </message>
    <message>
        <source>not saved</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>a copy of what ships, not saved</source>
        <translation>自带内容的副本，未保存</translation>
    </message>
    <message>
        <source>ships with the program; an edit makes a copy</source>
        <translation>程序自带；编辑会生成副本</translation>
    </message>
</context>
<context>
    <name>partita::RulesDiffDialog</name>
    <message numerus="yes">
        <source>, in %n blocks</source>
        <translation>
            <numerusform>，在 %n 个块中</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>比较(&amp;C)</translation>
    </message>
    <message>
        <source>Test: as &amp;before</source>
        <translation>测试：按之前(&amp;B)</translation>
    </message>
    <message>
        <source>Test: as &amp;now</source>
        <translation>测试：按现在(&amp;N)</translation>
    </message>
    <message>
        <source>Compare rules on models</source>
        <translation>在模型上比较规则</translation>
    </message>
    <message>
        <source>What the rules, as they stand in the window, change against those of before. Double-click a change to see its first operator.</source>
        <translation>窗口中当前的规则与之前的规则相比改变什么。双击一处变化可查看其第一个算子。</translation>
    </message>
    <message>
        <source>Changes by model and rule</source>
        <translation>按模型和规则列出的变化</translation>
    </message>
    <message>
        <source>Model, change</source>
        <translation>模型，变化</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Regions</source>
        <translation>区域</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>计算量</translation>
    </message>
    <message>
        <source>Boundary</source>
        <translation>边界</translation>
    </message>
    <message>
        <source>The comparison was cancelled</source>
        <translation>比较已取消</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>a description, rules in Python, or a built-in name</source>
        <translation>一个描述、Python 规则，或内置名称</translation>
    </message>
    <message>
        <source>B&amp;ackend:</source>
        <translation>后端(&amp;A)：</translation>
    </message>
    <message>
        <source>&amp;Rules before:</source>
        <translation>之前的规则(&amp;R)：</translation>
    </message>
    <message>
        <source>&amp;Models:</source>
        <translation>模型(&amp;M)：</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>The rules before</source>
        <translation>之前的规则</translation>
    </message>
    <message>
        <source>Rules (*.json *.py)</source>
        <translation>规则 (*.json *.py)</translation>
    </message>
    <message>
        <source>A folder of models</source>
        <translation>一个模型文件夹</translation>
    </message>
    <message>
        <source>Rules in Python are compared once they may run</source>
        <translation>Python 规则获准运行后才能比较</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>正在比较…</translation>
    </message>
    <message>
        <source>Comparing rules</source>
        <translation>正在比较规则</translation>
    </message>
    <message>
        <source>No model was found there</source>
        <translation>那里没有模型</translation>
    </message>
    <message>
        <source>%1 of %2 models differ: %3 calls lost, %4 taken</source>
        <translation>%2 个模型中有 %1 个不同：失去 %3 个调用，新增 %4 个</translation>
    </message>
    <message numerus="yes">
        <source>and %n other file(s) can&apos;t be compared</source>
        <translation>
            <numerusform>另有 %n 个文件无法比较</numerusform>
        </translation>
    </message>
    <message>
        <source>Select a change first</source>
        <translation>请先选择一处变化</translation>
    </message>
    <message>
        <source>The backend is no longer chosen</source>
        <translation>该后端已不再选用</translation>
    </message>
    <message>
        <source>Tests are kept in a description in JSON: choose one that names this file as its annotator</source>
        <translation>测试保存在 JSON 描述中：请选用一个以此文件为标注器的描述</translation>
    </message>
    <message>
        <source>Save the description in a file first: a test names models beside it</source>
        <translation>请先把描述保存到文件：测试引用它旁边的模型</translation>
    </message>
    <message>
        <source>A test of the description that wants the old rules&apos; verdict</source>
        <translation>描述中的一个测试，要求之前规则的判定</translation>
    </message>
    <message>
        <source>A test of the description that wants the new rules&apos; verdict</source>
        <translation>描述中的一个测试，要求当前规则的判定</translation>
    </message>
    <message>
        <source>keep as a test</source>
        <translation>保存为测试</translation>
    </message>
    <message>
        <source>%1 has a test that wants %2 %3. Save the rules to keep it; &quot;rules test&quot; runs it.</source>
        <translation>%1 有一个测试，要求 %2 %3。保存规则即可保留；“rules test”运行它。</translation>
    </message>
    <message>
        <source>taken</source>
        <translation>被接受</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>拒绝</translation>
    </message>
</context>
<context>
    <name>partita::RulesOfDivision</name>
    <message>
        <source>Annotate first, or give operators to a backend</source>
        <translation>请先标注，或把算子交给某个后端</translation>
    </message>
    <message>
        <source>Select an operator on the backend whose rules you want</source>
        <translation>请选择一个算子，它所在的后端就是要生成规则的后端</translation>
    </message>
    <message>
        <source>Looking for rules</source>
        <translation>正在寻找规则</translation>
    </message>
    <message>
        <source>rules of the division</source>
        <translation>由划分生成的规则</translation>
    </message>
    <message numerus="yes">
        <source>%n operator(s) can&apos;t be told from others that were not taken, and stay away: %1</source>
        <translation>
            <numerusform>%n 个算子与未被取走的算子无法区分，不再归入：%1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::RulesPanel</name>
    <message>
        <source>No backend is chosen: choose backends (Ctrl+B), or write one of your own with New.</source>
        <translation>未选择后端：请选择后端 (Ctrl+B)，或用“新建”编写一个。</translation>
    </message>
    <message>
        <source>Faults</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Checking the rules</source>
        <translation>正在检查规则</translation>
    </message>
    <message>
        <source>there is a backend named %1 already</source>
        <translation>已有名为 %1 的后端</translation>
    </message>
    <message>
        <source>The text is valid. Open a module to see what it does.</source>
        <translation>文本有效。打开模块以查看效果。</translation>
    </message>
    <message>
        <source>change the rule %1 of %2</source>
        <translation>修改 %2 的规则 %1</translation>
    </message>
    <message>
        <source>edit the rules of %1</source>
        <translation>编辑 %1 的规则</translation>
    </message>
    <message>
        <source>The file carries its annotations already: rules are not asked.</source>
        <translation>文件已带标注：不询问规则。</translation>
    </message>
    <message>
        <source>The graph could not be divided: see Problems.</source>
        <translation>无法划分图：见“问题”。</translation>
    </message>
    <message>
        <source>Valid; nothing moved.</source>
        <translation>有效；没有变化。</translation>
    </message>
    <message numerus="yes">
        <source>%n gained</source>
        <translation>
            <numerusform>获得 %n 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lost</source>
        <translation>
            <numerusform>失去 %n 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n moved</source>
        <translation>
            <numerusform>移动 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>regions %1 → %2</source>
        <translation>区域 %1 → %2</translation>
    </message>
    <message>
        <source>%1:%2  %3</source>
        <translation>%1:%2  %3</translation>
    </message>
    <message numerus="yes">
        <source>%n fault(s); the last valid rules stay.</source>
        <translation>
            <numerusform>%n 个错误；保留最后的有效规则。</numerusform>
        </translation>
    </message>
    <message>
        <source>Save the description</source>
        <translation>保存描述</translation>
    </message>
    <message>
        <source>Backend descriptions (*.json);;All files (*)</source>
        <translation>后端描述 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>The description was not saved</source>
        <translation>描述未保存</translation>
    </message>
    <message>
        <source>keep the rules of %1 in a file</source>
        <translation>将 %1 的规则存入文件</translation>
    </message>
    <message>
        <source>Saved as it is; the last valid rules stay.</source>
        <translation>已按原样保存；保留最后的有效规则。</translation>
    </message>
    <message>
        <source>Saved.</source>
        <translation>已保存。</translation>
    </message>
    <message>
        <source>Write &quot;%1&quot;: true under &quot;ops&quot;.</source>
        <translation>请在 &quot;ops&quot; 下写入 &quot;%1&quot;: true。</translation>
    </message>
    <message>
        <source>Read again; nothing moved.</source>
        <translation>已重新读取；没有变动。</translation>
    </message>
    <message>
        <source>read again</source>
        <translation>已重新读取</translation>
    </message>
    <message>
        <source>%1 can&apos;t be read.</source>
        <translation>无法读取 %1。</translation>
    </message>
    <message>
        <source>Take theirs</source>
        <translation>采用对方的</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>保留我的</translation>
    </message>
    <message>
        <source>read %1 again</source>
        <translation>重新读取 %1</translation>
    </message>
    <message>
        <source>The file was changed</source>
        <translation>文件已更改</translation>
    </message>
    <message>
        <source>Save the rules?</source>
        <translation>保存规则吗？</translation>
    </message>
    <message>
        <source>The text of %1 has faults and was not saved.</source>
        <translation>%1 的文本有错误，尚未保存。</translation>
    </message>
    <message>
        <source>A project keeps the rules that were valid last.</source>
        <translation>项目只保留最后一次有效的规则。</translation>
    </message>
    <message>
        <source>%1 was changed on disk since it was read here.</source>
        <translation>自在此读取以来，%1 已在磁盘上更改。</translation>
    </message>
    <message>
        <source>Saving writes over what is there.</source>
        <translation>保存会覆盖那里的内容。</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>takes</source>
        <translation>接受</translation>
    </message>
    <message>
        <source>refuses</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>A click on the dot: play stops at each operator that the rule looks at</source>
        <translation>点击圆点：播放会在规则检查的每个算子处停下</translation>
    </message>
    <message>
        <source>%1, line %2</source>
        <translation>%1，第 %2 行</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 中的 %1</translation>
    </message>
    <message>
        <source>%1 accepted; a limit or a choice by hand left %2 of them</source>
        <translation>接受了 %1 个；限制或手动选择后剩下 %2 个</translation>
    </message>
    <message>
        <source>Nothing in this graph asks it</source>
        <translation>此图中没有任何算子用到它</translation>
    </message>
    <message>
        <source>Not run yet; the rules stay as they were.</source>
        <translation>尚未运行；规则保持原样。</translation>
    </message>
    <message numerus="yes">
        <source>%n call(s) refused at this line</source>
        <translation>
            <numerusform>%n 个调用在此行被拒绝</numerusform>
        </translation>
    </message>
    <message>
        <source>A click selects them.</source>
        <translation>单击即可选中它们。</translation>
    </message>
    <message>
        <source>Reading rules</source>
        <translation>正在读取规则</translation>
    </message>
    <message>
        <source>Save the rules</source>
        <translation>保存规则</translation>
    </message>
    <message>
        <source>Python (*.py)</source>
        <translation>Python (*.py)</translation>
    </message>
    <message>
        <source>Dividing was cancelled: the graph keeps its rules, the text stays as it is here.</source>
        <translation>划分已取消：图保留原来的规则，这里的文本保持不变。</translation>
    </message>
    <message numerus="yes">
        <source>%1, and %n more: see Problems</source>
        <translation>
            <numerusform>%1，另有 %n 条：见“问题”</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::RunDifferenceModel</name>
    <message>
        <source>whole run</source>
        <translation>整次运行</translation>
    </message>
    <message>
        <source>%1, all calls</source>
        <translation>%1，所有调用</translation>
    </message>
    <message>
        <source>only in B</source>
        <translation>仅在 B</translation>
    </message>
    <message>
        <source>only in A</source>
        <translation>仅在 A</translation>
    </message>
    <message>
        <source>noise unknown</source>
        <translation>噪声未知</translation>
    </message>
    <message>
        <source>same within noise</source>
        <translation>在噪声内相同</translation>
    </message>
    <message>
        <source>faster</source>
        <translation>更快</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>更慢</translation>
    </message>
    <message>
        <source>Region / operator</source>
        <translation>区域 / 算子</translation>
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
        <translation>噪声</translation>
    </message>
    <message>
        <source>B is</source>
        <translation>B 的结果</translation>
    </message>
    <message>
        <source>other operators</source>
        <translation>算子不同</translation>
    </message>
    <message>
        <source>too noisy to tell: run again</source>
        <translation>噪声太大，无法判断：请再运行</translation>
    </message>
    <message>
        <source>How far off the ratio may be: by the ranks of the single runs (a test at the level of 1 %), and by how busy the machine was. It needs five runs of each.</source>
        <translation>比值可能偏离多少：依据各次运行的秩（1 % 水平的检验）以及机器的繁忙程度。每个都需要五次运行。</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n other(s)</source>
        <translation>
            <numerusform>%1 及其他 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>The smallest group of operators that both runs timed as a whole. Number of times in A: %1, in B: %2.</source>
        <translation>两次运行都整体计时的最小算子组。计时个数：A 中 %1，B 中 %2。</translation>
    </message>
</context>
<context>
    <name>partita::RunInputs</name>
    <message>
        <source>Open a module first: these are values for its inputs.</source>
        <translation>请先打开模块：这些是其输入的值。</translation>
    </message>
    <message>
        <source>Reading inputs</source>
        <translation>正在读取输入</translation>
    </message>
    <message>
        <source>The input was not taken</source>
        <translation>未采用该输入</translation>
    </message>
    <message>
        <source>The next run takes %1</source>
        <translation>下次运行使用 %1</translation>
    </message>
</context>
<context>
    <name>partita::SearchBar</name>
    <message>
        <source>Find: nn.conv2d   op:add   backend:default   shape:*x3x*   attr:stride   -op:add</source>
        <translation>查找：nn.conv2d   op:add   backend:default   shape:*x3x*   attr:stride   -op:add</translation>
    </message>
    <message>
        <source>Find in the graph</source>
        <translation>在计算图中查找</translation>
    </message>
    <message>
        <source>Previous hit (Shift+Enter)</source>
        <translation>上一个（Shift+Enter）</translation>
    </message>
    <message>
        <source>Previous hit</source>
        <translation>上一个</translation>
    </message>
    <message>
        <source>Next hit (Enter)</source>
        <translation>下一个（Enter）</translation>
    </message>
    <message>
        <source>Next hit</source>
        <translation>下一个</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Select all hits (Ctrl+Enter)</source>
        <translation>选择所有结果（Ctrl+Enter）</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭（Esc）</translation>
    </message>
    <message>
        <source>Close the search</source>
        <translation>关闭查找</translation>
    </message>
    <message>
        <source>no hit</source>
        <translation>无结果</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 个中的第 %1 个</translation>
    </message>
    <message numerus="yes">
        <source>%n hit(s)</source>
        <translation>
            <numerusform>%n 个结果</numerusform>
        </translation>
    </message>
    <message>
        <source>no key %1:</source>
        <translation>没有键 %1:</translation>
    </message>
    <message>
        <source>Words must all match. Keys: op: name: backend: shape: type: attr: region:
With numbers: flops:&gt;1e9 bytes:1k..4M
* and ? are wildcards; /.../ is a regular expression; a leading - turns a word round.
Enter: next, Shift+Enter: previous, Ctrl+Enter: select all hits, Esc: close
Up: the query before, Down: on to the list of hits</source>
        <translation>所有词都必须匹配。键：op: name: backend: shape: type: attr: region:
数字：flops:&gt;1e9 bytes:1k..4M
* 和 ? 是通配符；/.../ 是正则表达式；词前的 - 表示取反。
Enter：下一个，Shift+Enter：上一个，Ctrl+Enter：选择所有命中，Esc：关闭
向上键：之前的查询，向下键：转到命中列表</translation>
    </message>
    <message>
        <source>List</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>List the hits of all functions (Down)</source>
        <translation>列出所有函数中的命中（向下键）</translation>
    </message>
    <message>
        <source>can&apos;t be read: %1</source>
        <translation>无法读取：%1</translation>
    </message>
</context>
<context>
    <name>partita::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Like the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Okabe-Ito (safe for colour-blind people)</source>
        <translation>Okabe-Ito（色盲友好）</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>高对比度</translation>
    </message>
    <message>
        <source>Colours of backends</source>
        <translation>后端颜色</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>Size of text</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>计算图</translation>
    </message>
    <message>
        <source>Animate changes of layout</source>
        <translation>布局变化时使用动画</translation>
    </message>
    <message>
        <source>Show the overview in the corner</source>
        <translation>在角落显示缩略图</translation>
    </message>
    <message>
        <source>Show weights and constants as nodes</source>
        <translation>把权重和常量显示为节点</translation>
    </message>
    <message>
        <source>Show attributes</source>
        <translation>显示属性</translation>
    </message>
    <message>
        <source>Show types of results</source>
        <translation>显示结果类型</translation>
    </message>
    <message>
        <source>Show types on edges</source>
        <translation>在边上显示类型</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>as many as cores</source>
        <translation>与核心数相同</translation>
    </message>
    <message>
        <source>Runs before measuring</source>
        <translation>预热次数</translation>
    </message>
    <message>
        <source>Measured runs</source>
        <translation>测量次数</translation>
    </message>
    <message>
        <source>Compare outputs with the unpartitioned module</source>
        <translation>与未划分模块比较输出</translation>
    </message>
    <message>
        <source>Draw edges as wide as their data is large</source>
        <translation>按数据大小绘制边宽</translation>
    </message>
    <message>
        <source>C compiler</source>
        <translation>C 编译器</translation>
    </message>
    <message>
        <source>Its flags</source>
        <translation>编译选项</translation>
    </message>
    <message>
        <source>the program&apos;s own</source>
        <translation>程序自带</translation>
    </message>
    <message>
        <source>From the next start on</source>
        <translation>从下次启动起生效</translation>
    </message>
    <message>
        <source>Language, from the next start</source>
        <translation>语言（下次启动起）</translation>
    </message>
    <message>
        <source>Ask again before allowed code runs</source>
        <translation>运行已允许的代码前再次询问</translation>
    </message>
    <message>
        <source>Forgets which backends&apos; code and annotators were allowed to run</source>
        <translation>忘记已允许运行的后端代码和标注程序</translation>
    </message>
</context>
<context>
    <name>partita::StatusLine</name>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel what is running</source>
        <translation>取消正在进行的工作</translation>
    </message>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n 个调用</numerusform>
        </translation>
    </message>
    <message>
        <source>changed by hand</source>
        <translation>已手动更改</translation>
    </message>
    <message numerus="yes">
        <source>%n region(s)</source>
        <translation>
            <numerusform>%n 个区域</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>已选 %n 个</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::StepBar</name>
    <message>
        <source>First step</source>
        <translation>第一步</translation>
    </message>
    <message>
        <source>Go to the first step</source>
        <translation>转到第一步</translation>
    </message>
    <message>
        <source>Step back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>One step back</source>
        <translation>后退一步</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Play or pause</source>
        <translation>播放或暂停</translation>
    </message>
    <message>
        <source>Step forward</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>One step forward</source>
        <translation>前进一步</translation>
    </message>
    <message>
        <source>Next breakpoint</source>
        <translation>下一个断点</translation>
    </message>
    <message>
        <source>Go on to the next breakpoint (Ctrl+F12)</source>
        <translation>前进到下一个断点 (Ctrl+F12)</translation>
    </message>
    <message>
        <source>Last step</source>
        <translation>最后一步</translation>
    </message>
    <message>
        <source>Go to the last step</source>
        <translation>转到最后一步</translation>
    </message>
    <message>
        <source>Show the result</source>
        <translation>显示结果</translation>
    </message>
    <message>
        <source>Leave the steps and show the result</source>
        <translation>离开步骤，显示结果</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>All decisions</source>
        <translation>所有决定</translation>
    </message>
    <message>
        <source>Placement</source>
        <translation>分配</translation>
    </message>
    <message>
        <source>Merging</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>Refusals</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Which decisions</source>
        <translation>哪些决定</translation>
    </message>
    <message>
        <source>Speed: slow</source>
        <translation>速度：慢</translation>
    </message>
    <message>
        <source>Speed: normal</source>
        <translation>速度：正常</translation>
    </message>
    <message>
        <source>Speed: fast</source>
        <translation>速度：快</translation>
    </message>
    <message>
        <source>Speed: very fast</source>
        <translation>速度：很快</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Go on to the next breakpoint (Ctrl+F12)
Set one first: a click on the dot beside a rule, in Rules</source>
        <translation>前进到下一个断点 (Ctrl+F12)
请先设置断点：在“规则”中单击规则旁的圆点</translation>
    </message>
</context>
<context>
    <name>partita::StepsModel</name>
    <message>
        <source>Simplify</source>
        <translation>化简</translation>
    </message>
    <message>
        <source>Fold</source>
        <translation>折叠</translation>
    </message>
    <message>
        <source>Composite</source>
        <translation>复合</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>分配</translation>
    </message>
    <message>
        <source>Annotate</source>
        <translation>标注</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>划分</translation>
    </message>
    <message>
        <source>%1 does not fit the pattern %2: %3.</source>
        <translation>%1 与模式 %2 不匹配：%3。</translation>
    </message>
    <message>
        <source>Block %1: %2</source>
        <translation>第 %1 块：%2</translation>
    </message>
    <message numerus="yes">
        <source>In each of %n block(s): %1</source>
        <translation>
            <numerusform>在全部 %n 个块中：%1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>In %1 of %n block(s): %2</source>
        <translation>
            <numerusform>在 %n 个块中的 %1 个：%2</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, and others</source>
        <translation>%1 等</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
</context>
<context>
    <name>partita::StepsPanel</name>
    <message>
        <source>Annotate, merge or partition: each decision appears here and can be played.</source>
        <translation>标注、合并或划分之后，每个决定都会列在这里，并可回放。</translation>
    </message>
    <message>
        <source>What is decided in this step</source>
        <translation>本步所做的决定</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>决定</translation>
    </message>
    <message numerus="yes">
        <source>%n decision(s). Play them, or choose one.</source>
        <translation>
            <numerusform>%n 个决定。可播放，或选择一个。</numerusform>
        </translation>
    </message>
    <message>
        <source>No decision of this kind.</source>
        <translation>没有这类决定。</translation>
    </message>
    <message>
        <source>The terms of the rule, with their values</source>
        <translation>规则各项及其值</translation>
    </message>
    <message>
        <source>it matches; there is no check</source>
        <translation>匹配；没有检查</translation>
    </message>
    <message>
        <source>it matches, and its check holds: %1</source>
        <translation>匹配，且检查成立：%1</translation>
    </message>
    <message>
        <source>%1 is %2</source>
        <translation>%1 是 %2</translation>
    </message>
    <message>
        <source>or</source>
        <translation>或</translation>
    </message>
    <message>
        <source>No breakpoint is set.</source>
        <translation>没有设置断点。</translation>
    </message>
    <message>
        <source>No rule with a breakpoint is asked after this step.</source>
        <translation>此步之后不再询问带断点的规则。</translation>
    </message>
    <message>
        <source>Replaying the steps</source>
        <translation>正在重放步骤</translation>
    </message>
    <message>
        <source>This graph has no %1.</source>
        <translation>此图中没有 %1。</translation>
    </message>
    <message>
        <source>The root of %1 is %2, and this graph has no %2.</source>
        <translation>%1 的根是 %2，而此图中没有 %2。</translation>
    </message>
    <message>
        <source>Explaining</source>
        <translation>正在解释</translation>
    </message>
    <message>
        <source>Looking which calls reach the lines</source>
        <translation>正在查找哪些调用到达这些行</translation>
    </message>
    <message>
        <source>Before line %1</source>
        <translation>第 %1 行之前</translation>
    </message>
    <message>
        <source>the rule ends here</source>
        <translation>规则到此结束</translation>
    </message>
    <message>
        <source>next line (Ctrl+F11)</source>
        <translation>下一行（Ctrl+F11）</translation>
    </message>
    <message>
        <source>Comparing the steps of blocks</source>
        <translation>正在比较各块的步骤</translation>
    </message>
    <message>
        <source>stop %1 of %2</source>
        <translation>第 %1 次停下，共 %2 次</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>监视</translation>
    </message>
    <message>
        <source>An expression of the rule language, such as attrs.groups or args[0].shape: each step tells what it is for its call. Empty: none.</source>
        <translation>规则语言的表达式，例如 attrs.groups 或 args[0].shape：每一步给出它对该调用的值。留空：不监视。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>partita::TextPanel</name>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>After composite</source>
        <translation>复合之后</translation>
    </message>
    <message>
        <source>After annotate</source>
        <translation>标注之后</translation>
    </message>
    <message>
        <source>After merge</source>
        <translation>合并之后</translation>
    </message>
    <message>
        <source>After partition</source>
        <translation>划分之后</translation>
    </message>
    <message>
        <source>Stage on the left</source>
        <translation>左侧阶段</translation>
    </message>
    <message>
        <source>Stage on the right</source>
        <translation>右侧阶段</translation>
    </message>
    <message>
        <source>Before:</source>
        <translation>之前：</translation>
    </message>
    <message>
        <source>After:</source>
        <translation>之后：</translation>
    </message>
    <message>
        <source>Relay text before</source>
        <translation>之前的 Relay 文本</translation>
    </message>
    <message>
        <source>Relay text after</source>
        <translation>之后的 Relay 文本</translation>
    </message>
    <message>
        <source>
… the text is too long to be shown; export it to read all of it</source>
        <translation>
…文本过长无法显示；请导出后阅读全文</translation>
    </message>
    <message>
        <source>This stage was not made yet.</source>
        <translation>尚未到这一阶段。</translation>
    </message>
    <message>
        <source>Printing Relay text</source>
        <translation>正在生成 Relay 文本</translation>
    </message>
    <message>
        <source>As read, before it was simplified</source>
        <translation>读取时，化简之前</translation>
    </message>
</context>
<context>
    <name>partita::TimingAlikeView</name>
    <message>
        <source>Regions of these operators</source>
        <translation>由这些算子组成的区域</translation>
    </message>
    <message>
        <source>Executed by</source>
        <translation>执行者</translation>
    </message>
    <message>
        <source>Regions</source>
        <translation>区域</translation>
    </message>
    <message>
        <source>Together</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Median of one</source>
        <translation>单个中位数</translation>
    </message>
    <message>
        <source>Spread</source>
        <translation>离散</translation>
    </message>
    <message>
        <source>From … to</source>
        <translation>从…到</translation>
    </message>
    <message>
        <source>Times of regions that are alike</source>
        <translation>同类区域的耗时</translation>
    </message>
    <message>
        <source>The medians of these regions, added up</source>
        <translation>这些区域中位数之和</translation>
    </message>
    <message>
        <source>The interquartile range of the medians of these regions</source>
        <translation>这些区域中位数的四分位距</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n region(s) alike</source>
        <translation>
            <numerusform>%1，%n 个同类区域</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::TimingChart</name>
    <message>
        <source>Time per region</source>
        <translation>各区域耗时</translation>
    </message>
</context>
<context>
    <name>partita::TimingHistory</name>
    <message>
        <source>Run once more, in another division or with other settings, to compare two runs.</source>
        <translation>以其他划分或设置再运行一次，即可比较两次运行。</translation>
    </message>
    <message>
        <source>Save B…</source>
        <translation>保存 B…</translation>
    </message>
    <message>
        <source>Open a run…</source>
        <translation>打开运行…</translation>
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
        <translation>运行 A</translation>
    </message>
    <message>
        <source>Run B</source>
        <translation>运行 B</translation>
    </message>
    <message>
        <source>Keep the times of run B in a file</source>
        <translation>将运行 B 的时间保存到文件</translation>
    </message>
    <message>
        <source>Open a run that was kept in a file, also by partita-cli run --save-run</source>
        <translation>打开保存的运行，包括 partita-cli run --save-run 保存的</translation>
    </message>
    <message>
        <source>Differences of two runs</source>
        <translation>两次运行的差异</translation>
    </message>
    <message>
        <source>There is no run to save.</source>
        <translation>没有可保存的运行。</translation>
    </message>
    <message>
        <source>Save the run</source>
        <translation>保存运行</translation>
    </message>
    <message>
        <source>Runs (*.json)</source>
        <translation>运行 (*.json)</translation>
    </message>
    <message>
        <source>The run was not saved</source>
        <translation>运行未保存</translation>
    </message>
    <message>
        <source>Open a run</source>
        <translation>打开运行</translation>
    </message>
    <message>
        <source>The run was not opened</source>
        <translation>运行未打开</translation>
    </message>
    <message numerus="yes">
        <source>%1. %2 on %3, %n thread(s): %4</source>
        <translation>
            <numerusform>%1. %2，%3，%n 个线程：%4</numerusform>
        </translation>
    </message>
    <message>
        <source>Comparing two runs</source>
        <translation>正在比较两次运行</translation>
    </message>
    <message>
        <source>These runs are of different models, or of other sizes: their times can&apos;t be compared.</source>
        <translation>这些运行属于不同的模型或不同的尺寸：它们的时间无法比较。</translation>
    </message>
    <message>
        <source>%1. %2 on %3: %4</source>
        <translation>%1. %2，%3：%4</translation>
    </message>
</context>
<context>
    <name>partita::TimingInvitation</name>
    <message>
        <source>The times of runs that the project keeps, two side by side</source>
        <translation>项目中保存的运行时间，两两对照</translation>
    </message>
    <message>
        <source>The module is running…</source>
        <translation>模块正在运行…</translation>
    </message>
    <message>
        <source>Run the module to see where its time goes.</source>
        <translation>运行模块，查看时间花在哪里。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message numerus="yes">
        <source>Compare %n kept run(s)</source>
        <translation>
            <numerusform>比较 %n 次保存的运行</numerusform>
        </translation>
    </message>
    <message>
        <source>Its inputs: %1</source>
        <translation>其输入：%1</translation>
    </message>
</context>
<context>
    <name>partita::TimingMemoryView</name>
    <message>
        <source>Kept in memory</source>
        <translation>内存中保留</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>区域</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>What is kept in memory at the chosen step</source>
        <translation>所选步骤中内存保留的内容</translation>
    </message>
    <message>
        <source>A module with control flow has no plan of its memory.</source>
        <translation>含控制流的模块没有内存计划。</translation>
    </message>
    <message>
        <source>step %1 of %2, %3</source>
        <translation>第 %1 步（共 %2 步），%3</translation>
    </message>
    <message numerus="yes">
        <source>%n value(s) kept</source>
        <translation>
            <numerusform>保留 %n 个值</numerusform>
        </translation>
    </message>
    <message>
        <source>The peak: %1 at %2 — %3. The plan takes %4 in all.</source>
        <translation>峰值：%1，%2 — %3。计划共占用 %4。</translation>
    </message>
    <message>
        <source>%1 at %2 — %3. The peak is %4 (P).</source>
        <translation>%1，%2 — %3。峰值为 %4（P）。</translation>
    </message>
    <message>
        <source>workspace of the region</source>
        <translation>区域的工作区</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>partita::TimingModel</name>
    <message>
        <source>%1 (fell back)</source>
        <translation>%1（已回退）</translation>
    </message>
    <message>
        <source>Region / operator</source>
        <translation>区域 / 算子</translation>
    </message>
    <message>
        <source>Executed by</source>
        <translation>执行者</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Spread</source>
        <translation>离散度</translation>
    </message>
    <message>
        <source>Ops</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>GFLOP/s</source>
        <translation>GFLOP/s</translation>
    </message>
    <message>
        <source>%1, partly default</source>
        <translation>%1，部分用 default</translation>
    </message>
    <message>
        <source>Compile</source>
        <translation>编译</translation>
    </message>
    <message>
        <source>The interquartile range of the measured runs</source>
        <translation>所测运行的四分位距</translation>
    </message>
    <message>
        <source>Once, before the first run</source>
        <translation>仅一次，在首次运行之前</translation>
    </message>
    <message>
        <source>How many copies over the border and changes of layout there are in a run, and their time; where the backend can tell</source>
        <translation>一次运行中跨边界拷贝和布局转换的次数及时间（后端能提供时）</translation>
    </message>
    <message>
        <source>Floating-point operations a second</source>
        <translation>每秒浮点运算次数</translation>
    </message>
    <message>
        <source>Bytes of inputs and outputs, counted once</source>
        <translation>输入和输出的字节数，各计一次</translation>
    </message>
    <message>
        <source>Min.</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>Layouts</source>
        <translation>布局</translation>
    </message>
    <message>
        <source>Copy as CSV copies all of them</source>
        <translation>“复制为 CSV”会复制全部算子</translation>
    </message>
    <message numerus="yes">
        <source>%n shorter operator(s)</source>
        <translation>
            <numerusform>%n 个耗时较短的算子</numerusform>
        </translation>
    </message>
    <message>
        <source>Error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>The largest relative error of what the region gives, held against the same region on default</source>
        <translation>该区域的结果与 default 上同一区域相比的最大相对误差</translation>
    </message>
    <message>
        <source>Moved</source>
        <translation>搬运</translation>
    </message>
</context>
<context>
    <name>partita::TimingPanel</name>
    <message>
        <source>Heat on the graph</source>
        <translation>在图上显示热度</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>复制为 CSV</translation>
    </message>
    <message>
        <source>Colour the operators by the time they took</source>
        <translation>按耗时给算子着色</translation>
    </message>
    <message>
        <source>outputs equal to default (relative error %1)</source>
        <translation>输出与 default 相同（相对误差 %1）</translation>
    </message>
    <message>
        <source>Compare regions</source>
        <translation>比较区域</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Flame</source>
        <translation>火焰图</translation>
    </message>
    <message>
        <source>Copy what the shown view holds as comma-separated values</source>
        <translation>以逗号分隔值复制当前视图的内容</translation>
    </message>
    <message>
        <source>Views of the run</source>
        <translation>运行视图</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>Compare runs</source>
        <translation>比较运行</translation>
    </message>
    <message>
        <source>Run again and hold what each region gives against the same region on default; the first that differs is selected</source>
        <translation>再次运行，将每个区域的结果与 default 上的同一区域比较；选中第一个不同的区域</translation>
    </message>
    <message>
        <source>There are no regions: annotate the module and run it again</source>
        <translation>没有区域：请先标注模块再运行</translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n 个线程</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>all %n region(s) equal</source>
        <translation>
            <numerusform>%n 个区域全部相同</numerusform>
        </translation>
    </message>
    <message>
        <source>Relative error: |a − b| / (|b| + scale / 20), scale being the largest |b| of the tensor</source>
        <translation>相对误差：|a − b| / (|b| + scale / 20)，scale 为张量中最大的 |b|</translation>
    </message>
    <message>
        <source>Measuring what this machine can do…</source>
        <translation>正在测量本机性能…</translation>
    </message>
    <message>
        <source>Measuring this machine</source>
        <translation>测量本机</translation>
    </message>
    <message>
        <source>Comparing regions</source>
        <translation>比较区域</translation>
    </message>
    <message>
        <source>The regions were not compared</source>
        <translation>区域未比较</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; median, %2 measured after %3 to warm up</source>
        <translation>中位数 &lt;b&gt;%1&lt;/b&gt;，预热 %3 次后测量 %2 次</translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation>峰值 %1</translation>
    </message>
    <message>
        <source>first run %1, compiling %2</source>
        <translation>首次运行 %1，编译 %2</translation>
    </message>
    <message>
        <source>No run of this session yet: run the module to fill the other views.</source>
        <translation>本次会话尚未运行：运行模块后其他视图才有内容。</translation>
    </message>
    <message>
        <source>Heat</source>
        <translation>热度</translation>
    </message>
    <message>
        <source>Compare</source>
        <comment>regions, in a narrow panel</comment>
        <translation>比较</translation>
    </message>
    <message>
        <source>CSV</source>
        <translation>CSV</translation>
    </message>
    <message>
        <source>Runs</source>
        <comment>compares two, in a narrow panel</comment>
        <translation>运行</translation>
    </message>
    <message>
        <source>Preparing the views of the run</source>
        <translation>正在准备运行的视图</translation>
    </message>
    <message>
        <source>Copying</source>
        <translation>正在复制</translation>
    </message>
    <message>
        <source>The table is on the clipboard.</source>
        <translation>表格已复制到剪贴板。</translation>
    </message>
    <message>
        <source>first wrong region: %1</source>
        <translation>第一个出错的区域：%1</translation>
    </message>
    <message>
        <source>outputs differ (relative error %1)</source>
        <translation>输出不同（相对误差 %1）</translation>
    </message>
    <message>
        <source>&lt;b&gt;default compared with itself&lt;/b&gt;</source>
        <translation>&lt;b&gt;default 与自身比较&lt;/b&gt;</translation>
    </message>
    <message>
        <source>. Against a run in float64 it is %1, that of default %2</source>
        <translation>。与 float64 运行相比为 %1，default 为 %2</translation>
    </message>
    <message>
        <source>outputs equal to default but for rounding (relative error %1)</source>
        <translation>除舍入外输出与 default 相同（相对误差 %1）</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>inputs: %1</source>
        <translation>输入：%1</translation>
    </message>
    <message>
        <source>&lt;i&gt;of other inputs than are chosen now&lt;/i&gt;</source>
        <translation>&lt;i&gt;使用的输入与当前所选不同&lt;/i&gt;</translation>
    </message>
    <message>
        <source>Alike</source>
        <translation>同类</translation>
    </message>
    <message>
        <source>%1 cross the boundaries of regions</source>
        <translation>%1 穿过区域边界</translation>
    </message>
    <message>
        <source>&lt;i&gt;of an earlier division, run again for this one (F5)&lt;/i&gt;</source>
        <translation>&lt;i&gt;属于先前的划分，请为当前划分重新运行 (F5)&lt;/i&gt;</translation>
    </message>
    <message>
        <source>The run is of an earlier division, which had this region; the graph has others now. Run again (F5).</source>
        <translation>这次运行属于先前的划分，当时有这个区域；图现在的区域不同。请重新运行 (F5)。</translation>
    </message>
    <message numerus="yes">
        <source>&lt;b&gt;%1&lt;/b&gt; mean of %n run(s) of %2</source>
        <translation>
            <numerusform>&lt;b&gt;%1&lt;/b&gt;，%2 %n 次运行的平均</numerusform>
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
        <translation>本次运行没有可显示的浮点运算。</translation>
    </message>
    <message>
        <source>operations for each byte moved</source>
        <translation>每搬运一字节的运算次数</translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation>峰值 %1</translation>
    </message>
    <message>
        <source>memory %1</source>
        <translation>内存 %1</translation>
    </message>
    <message>
        <source>%1: %2 % of the %3 bound</source>
        <translation>%1：%3上限的 %2 %</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>%1
%2, %3
%4 operations for each byte
%5 % of the %6 bound</source>
        <translation>%1
%2，%3
每字节 %4 次运算
%6上限的 %5 %</translation>
    </message>
    <message>
        <source>region</source>
        <translation>区域</translation>
    </message>
    <message>
        <source>operator</source>
        <translation>算子</translation>
    </message>
</context>
<context>
    <name>partita::TimingRows</name>
    <message>
        <source>%1, executed by %2</source>
        <translation>%1，由 %2 执行</translation>
    </message>
    <message>
        <source>change of layout</source>
        <translation>布局转换</translation>
    </message>
    <message>
        <source>copy over the border</source>
        <translation>跨边界拷贝</translation>
    </message>
    <message>
        <source>Threads of the backend&apos;s own library are not measured</source>
        <translation>后端自带库的线程未测量</translation>
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
        <translation>区域</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Thread %1</source>
        <translation>线程 %1</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>忙</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>whole run</source>
        <translation>整次运行</translation>
    </message>
</context>
<context>
    <name>partita::TimingRowsView</name>
    <message>
        <source>Arrow keys choose a bar, plus and minus zoom, 0 shows all.</source>
        <translation>方向键选择条，加减键缩放，0 显示全部。</translation>
    </message>
    <message>
        <source>This run left no timeline: the module has control flow.</source>
        <translation>本次运行没有时间线：模块含控制流。</translation>
    </message>
</context>
<context>
    <name>partita::TimingTable</name>
    <message>
        <source>Times</source>
        <translation>耗时</translation>
    </message>
</context>
<context>
    <name>partita::ToolBars</name>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Backends</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Selection to</source>
        <translation>所选交给</translation>
    </message>
</context>
<context>
    <name>partita::ViewMenu</name>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>H&amp;ide</source>
        <translation>隐藏(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Groups</source>
        <translation>分组(&amp;G)</translation>
    </message>
    <message>
        <source>Pa&amp;th between two</source>
        <translation>两者之间的路径(&amp;T)</translation>
    </message>
    <message>
        <source>Highlight all that lies between two selected nodes; again: take it back</source>
        <translation>突出显示两个所选节点之间的一切；再按一次取消</translation>
    </message>
    <message>
        <source>&amp;Bookmarks</source>
        <translation>书签(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>面板(&amp;P)</translation>
    </message>
    <message>
        <source>To the &amp;graph</source>
        <translation>转到图(&amp;G)</translation>
    </message>
    <message>
        <source>Ctrl+J</source>
        <translation>Ctrl+J</translation>
    </message>
    <message>
        <source>The keyboard goes from a panel to the graph</source>
        <translation>键盘从面板转到图</translation>
    </message>
    <message>
        <source>&amp;Presentation</source>
        <translation>演示(&amp;P)</translation>
    </message>
    <message>
        <source>Ctrl+Shift+F</source>
        <translation>Ctrl+Shift+F</translation>
    </message>
    <message>
        <source>The graph alone, in large type and full screen; Esc: back</source>
        <translation>仅显示计算图，大字号全屏；Esc 返回</translation>
    </message>
    <message>
        <source>Show the &amp;question</source>
        <translation>显示问题(&amp;Q)</translation>
    </message>
    <message>
        <source>In a presentation: what the lesson&apos;s page asks</source>
        <translation>演示中：课程页面的问题</translation>
    </message>
    <message>
        <source>A &amp;minute to answer</source>
        <translation>多给一分钟作答(&amp;M)</translation>
    </message>
    <message>
        <source>Shift+Q</source>
        <translation>Shift+Q</translation>
    </message>
    <message>
        <source>In a presentation: the time that is left, two minutes at first</source>
        <translation>演示中：剩余时间，起初两分钟</translation>
    </message>
    <message>
        <source>Present first</source>
        <translation>请先开始演示</translation>
    </message>
    <message>
        <source>&amp;Fit</source>
        <translation>适应窗口(&amp;F)</translation>
    </message>
    <message>
        <source>Show the whole graph</source>
        <translation>显示整个计算图</translation>
    </message>
    <message>
        <source>Fit the &amp;selection</source>
        <translation>适应所选(&amp;S)</translation>
    </message>
    <message>
        <source>Show the selected operators</source>
        <translation>显示所选算子</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>放大(&amp;I)</translation>
    </message>
    <message>
        <source>Ctrl++</source>
        <translation>Ctrl++</translation>
    </message>
    <message>
        <source>Larger (also Ctrl+wheel)</source>
        <translation>放大（也可用 Ctrl+滚轮）</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>缩小(&amp;O)</translation>
    </message>
    <message>
        <source>Ctrl+-</source>
        <translation>Ctrl+-</translation>
    </message>
    <message>
        <source>Smaller (also Ctrl+wheel)</source>
        <translation>缩小（也可用 Ctrl+滚轮）</translation>
    </message>
    <message>
        <source>&amp;Actual size</source>
        <translation>实际大小(&amp;A)</translation>
    </message>
    <message>
        <source>Ctrl+0</source>
        <translation>Ctrl+0</translation>
    </message>
    <message>
        <source>One to one</source>
        <translation>一比一</translation>
    </message>
    <message>
        <source>&amp;Compare stages or files</source>
        <translation>比较阶段或文件(&amp;C)</translation>
    </message>
    <message>
        <source>Ctrl+D</source>
        <translation>Ctrl+D</translation>
    </message>
    <message>
        <source>Two stages of the flow, or two files, side by side with what is different</source>
        <translation>并排显示流程的两个阶段或两个文件及其差异</translation>
    </message>
    <message>
        <source>&amp;Heat of the last run</source>
        <translation>上次运行的热度(&amp;H)</translation>
    </message>
    <message>
        <source>Colour operators by the time they took</source>
        <translation>按耗时给算子着色</translation>
    </message>
    <message>
        <source>Run the module first</source>
        <translation>请先运行模块</translation>
    </message>
    <message>
        <source>Heat by &amp;loss elsewhere</source>
        <translation>按别处损失着色(&amp;L)</translation>
    </message>
    <message>
        <source>Colour operators by what a run would take more if they were on another backend: after Place by time</source>
        <translation>按算子放到其他后端时一次运行多用的时间着色：在按时间放置之后</translation>
    </message>
    <message>
        <source>Place by time first (Ctrl+Shift+B)</source>
        <translation>请先按时间放置 (Ctrl+Shift+B)</translation>
    </message>
    <message>
        <source>&amp;Weights and constants</source>
        <translation>权重与常量(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Names of operators</source>
        <translation>算子名称(&amp;N)</translation>
    </message>
    <message>
        <source>Ctrl+U</source>
        <translation>Ctrl+U</translation>
    </message>
    <message>
        <source>From left to ri&amp;ght</source>
        <translation>从左到右(&amp;G)</translation>
    </message>
    <message>
        <source>Ctrl+K</source>
        <translation>Ctrl+K</translation>
    </message>
    <message>
        <source>&amp;Types on edges</source>
        <translation>边上的类型(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Overview</source>
        <translation>缩略图(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Widths of edges by bytes</source>
        <translation>按字节数显示边宽(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Attributes on nodes…</source>
        <translation>节点上的属性(&amp;A)…</translation>
    </message>
    <message>
        <source>Which attributes stand on the nodes, by operator</source>
        <translation>按算子选择节点上显示哪些属性</translation>
    </message>
    <message>
        <source>&amp;Colours by query…</source>
        <translation>按查询着色(&amp;C)…</translation>
    </message>
    <message>
        <source>A colour of its own for what each of some queries finds</source>
        <translation>为每个查询找到的节点指定一种颜色</translation>
    </message>
    <message>
        <source>&amp;Casts</source>
        <translation>类型转换(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Reshapes and transposes</source>
        <translation>变形和转置(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Quantize and dequantize</source>
        <translation>量化和反量化(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Automatic</source>
        <translation>自动(&amp;A)</translation>
    </message>
    <message>
        <source>Groups for graphs that are too large to be read as they are</source>
        <translation>为过大而难以阅读的计算图分组</translation>
    </message>
    <message>
        <source>&amp;None</source>
        <translation>无(&amp;N)</translation>
    </message>
    <message>
        <source>Every operator for itself</source>
        <translation>每个算子单独显示</translation>
    </message>
    <message>
        <source>By &amp;region</source>
        <translation>按区域(&amp;R)</translation>
    </message>
    <message>
        <source>Each region as one node</source>
        <translation>每个区域显示为一个节点</translation>
    </message>
    <message>
        <source>By name &amp;scope</source>
        <translation>按名称范围(&amp;S)</translation>
    </message>
    <message>
        <source>By names such as layer1/conv2, where the file has them</source>
        <translation>按 layer1/conv2 之类的名称（若文件中有）</translation>
    </message>
    <message>
        <source>By repeated &amp;structure</source>
        <translation>按重复结构(&amp;S)</translation>
    </message>
    <message>
        <source>Blocks that come again and again as one node each</source>
        <translation>把反复出现的块各显示为一个节点</translation>
    </message>
    <message>
        <source>&amp;Close the group</source>
        <translation>折叠分组(&amp;C)</translation>
    </message>
    <message>
        <source>Close the group round the current node</source>
        <translation>折叠当前节点所在的分组</translation>
    </message>
    <message>
        <source>&amp;Open all groups</source>
        <translation>展开所有分组(&amp;O)</translation>
    </message>
    <message>
        <source>Show every operator; this may take a while and can be stopped</source>
        <translation>显示每个算子；可能需要一些时间，可以停止</translation>
    </message>
    <message>
        <source>Close a&amp;ll groups</source>
        <translation>折叠所有分组(&amp;L)</translation>
    </message>
    <message>
        <source>Show the outermost groups</source>
        <translation>显示最外层分组</translation>
    </message>
    <message>
        <source>Close the ta&amp;b</source>
        <translation>关闭标签页(&amp;B)</translation>
    </message>
    <message>
        <source>Close this function&apos;s tab</source>
        <translation>关闭此函数的标签页</translation>
    </message>
    <message>
        <source>Next tab</source>
        <translation>下一个标签页</translation>
    </message>
    <message>
        <source>Ctrl+PgDown</source>
        <translation>Ctrl+PgDown</translation>
    </message>
    <message>
        <source>Show the next function</source>
        <translation>显示下一个函数</translation>
    </message>
    <message>
        <source>Previous tab</source>
        <translation>上一个标签页</translation>
    </message>
    <message>
        <source>Ctrl+PgUp</source>
        <translation>Ctrl+PgUp</translation>
    </message>
    <message>
        <source>Show the function before</source>
        <translation>显示上一个函数</translation>
    </message>
    <message>
        <source>Back to the &amp;caller</source>
        <translation>返回调用者(&amp;C)</translation>
    </message>
    <message>
        <source>Show the function from which this one was opened</source>
        <translation>显示打开此函数的函数</translation>
    </message>
    <message>
        <source>Next model</source>
        <translation>下一个模型</translation>
    </message>
    <message>
        <source>Ctrl+Tab</source>
        <translation>Ctrl+Tab</translation>
    </message>
    <message>
        <source>Show the model in the next tab</source>
        <translation>显示下一个标签页中的模型</translation>
    </message>
    <message>
        <source>Previous model</source>
        <translation>上一个模型</translation>
    </message>
    <message>
        <source>Ctrl+Shift+Tab</source>
        <translation>Ctrl+Shift+Tab</translation>
    </message>
    <message>
        <source>Show the model in the tab before</source>
        <translation>显示上一个标签页中的模型</translation>
    </message>
    <message>
        <source>Bac&amp;k to the place before</source>
        <translation>返回上一处(&amp;K)</translation>
    </message>
    <message>
        <source>Alt+Left</source>
        <translation>Alt+Left</translation>
    </message>
    <message>
        <source>Select again what was selected before, where that was</source>
        <translation>重新选择之前选中的内容并回到那里</translation>
    </message>
    <message>
        <source>Nothing was selected before</source>
        <translation>之前没有选择任何内容</translation>
    </message>
    <message>
        <source>For&amp;ward to the next place</source>
        <translation>前进到下一处(&amp;W)</translation>
    </message>
    <message>
        <source>Alt+Right</source>
        <translation>Alt+Right</translation>
    </message>
    <message>
        <source>Select again what was left by going back</source>
        <translation>重新选择返回前所在的内容</translation>
    </message>
    <message>
        <source>Nobody went back from another place</source>
        <translation>没有可前进的位置</translation>
    </message>
    <message>
        <source>&amp;Bookmark</source>
        <translation>书签(&amp;B)</translation>
    </message>
    <message>
        <source>Mark the selected operator to find it again; again: take the mark off</source>
        <translation>标记所选算子以便再次找到；再按一次去除</translation>
    </message>
    <message>
        <source>N&amp;ote…</source>
        <translation>注释(&amp;O)…</translation>
    </message>
    <message>
        <source>Write about the selected operator; the note is kept in the project and stands in the report</source>
        <translation>为所选算子写注释；注释保存在项目中，并出现在报告里</translation>
    </message>
    <message>
        <source>&amp;Next bookmark</source>
        <translation>下一个书签(&amp;N)</translation>
    </message>
    <message>
        <source>Go to the next marked operator</source>
        <translation>转到下一个已标记的算子</translation>
    </message>
    <message>
        <source>&amp;Previous bookmark</source>
        <translation>上一个书签(&amp;P)</translation>
    </message>
    <message>
        <source>Go to the marked operator before</source>
        <translation>转到上一个已标记的算子</translation>
    </message>
    <message>
        <source>Step forward</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>The next decision of the passes</source>
        <translation>下一个决定</translation>
    </message>
    <message>
        <source>Step back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>The decision before</source>
        <translation>上一个决定</translation>
    </message>
    <message>
        <source>Play or pause the steps</source>
        <translation>播放或暂停步骤</translation>
    </message>
    <message>
        <source>Play the decisions of the passes</source>
        <translation>播放各遍的决定</translation>
    </message>
    <message>
        <source>On to the next breakpoint</source>
        <translation>前进到下一个断点</translation>
    </message>
    <message>
        <source>Ctrl+F12</source>
        <translation>Ctrl+F12</translation>
    </message>
    <message>
        <source>The next decision of a rule with a breakpoint</source>
        <translation>带断点规则的下一个决定</translation>
    </message>
    <message>
        <source>On to the next line of the rule</source>
        <translation>转到规则的下一行</translation>
    </message>
    <message>
        <source>Ctrl+F11</source>
        <translation>Ctrl+F11</translation>
    </message>
    <message>
        <source>The next line that a rule in Python reaches for the call at hand</source>
        <translation>Python 规则针对当前调用到达的下一行</translation>
    </message>
    <message>
        <source>Watch an expression…</source>
        <translation>监视表达式…</translation>
    </message>
    <message>
        <source>Each step tells what an expression of the rule language is for its call</source>
        <translation>每一步给出规则语言的某个表达式对该调用的值</translation>
    </message>
    <message>
        <source>Select two nodes.</source>
        <translation>请选择两个节点。</translation>
    </message>
    <message>
        <source>No path leads from one to the other.</source>
        <translation>两者之间没有路径。</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>注释</translation>
    </message>
    <message>
        <source>Note on %1:</source>
        <translation>关于 %1 的注释：</translation>
    </message>
    <message>
        <source>The graph has changed meanwhile</source>
        <translation>图在此期间已改变</translation>
    </message>
    <message>
        <source>No operator is marked.</source>
        <translation>没有已标记的算子。</translation>
    </message>
</context>
<context>
    <name>partita::WelcomePage</name>
    <message>
        <source>Samples</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>最近文件</translation>
    </message>
    <message>
        <source>See how a neural network is divided among compilers, change it, and run the result.</source>
        <translation>查看神经网络如何在编译器之间划分，修改划分，并运行结果。</translation>
    </message>
    <message>
        <source>Open a module…</source>
        <translation>打开模块…</translation>
    </message>
    <message>
        <source>Files that you open appear here.</source>
        <translation>打开过的文件会出现在这里。</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Self-attention with four heads: dense and softmax can go to dnnl, reshape and transpose stay on default between them.</source>
        <translation>四头自注意力：dense 和 softmax 可交给 dnnl，其间的 reshape 和 transpose 留在 default。</translation>
    </message>
    <message>
        <source>A diamond: ccompiler takes add, multiply and subtract, but the subtract may not merge with them: exp lies between.</source>
        <translation>菱形：ccompiler 接受 add、multiply 和 subtract，但 subtract 不能与它们合并：exp 位于其间。</translation>
    </message>
    <message>
        <source>Divides in the way: ccompiler takes add, subtract and multiply, and two divides split them into three regions.</source>
        <translation>divide 挡在中间：ccompiler 接受 add、subtract 和 multiply，两个 divide 把它们分成三个区域。</translation>
    </message>
    <message>
        <source>Two int8 convolutions with a stop_fusion between them: it ends a region, unless a backend calls it transparent.</source>
        <translation>两个 int8 卷积，中间有 stop_fusion：它会结束一个区域，除非后端声明它是透明的。</translation>
    </message>
    <message>
        <source>A residual block: once simplified, its batch_norms come apart, and what carries data is one region of dnnl.</source>
        <translation>残差块：化简后其 batch_norm 被拆开，承载数据的部分成为 dnnl 的一个区域。</translation>
    </message>
    <message>
        <source>Three branches, two of them annotated by hand for ccompiler: no backend is asked for them.</source>
        <translation>三个分支，其中两个已手工标注给 ccompiler：不再为它们询问任何后端。</translation>
    </message>
    <message>
        <source>Two functions that name their own compiler with the attribute `compiler`: partitioning needs no rule for them.</source>
        <translation>两个函数用属性 `compiler` 指明自己的编译器：划分时无需规则。</translation>
    </message>
    <message>
        <source>Go on where you left</source>
        <translation>继续上次的工作</translation>
    </message>
    <message>
        <source>Go on with %1</source>
        <translation>继续处理 %1</translation>
    </message>
    <message>
        <source>Open the last module with its division</source>
        <translation>打开上次的模块及其划分</translation>
    </message>
    <message>
        <source>The samples were not installed with the program.</source>
        <translation>示例未随程序安装。</translation>
    </message>
    <message>
        <source>Relay text (.relay) and ONNX (.onnx) can also be dropped here: two files are compared.</source>
        <translation>也可以把 Relay 文本（.relay）和 ONNX（.onnx）拖到这里：两个文件会进行比较。</translation>
    </message>
    <message>
        <source>A &lt;b&gt;backend&lt;/b&gt; is a compiler that takes some operators: &lt;b&gt;dnnl&lt;/b&gt; calls oneDNN&apos;s fast kernels, &lt;b&gt;ccompiler&lt;/b&gt; writes C and compiles it. What no backend takes runs on &lt;b&gt;default&lt;/b&gt;, Partita&apos;s own kernels. Neighbouring operators of one backend are compiled together: a &lt;b&gt;region&lt;/b&gt;.</source>
        <translation>&lt;b&gt;后端&lt;/b&gt;是接受某些算子的编译器：&lt;b&gt;dnnl&lt;/b&gt; 调用 oneDNN 的快速内核，&lt;b&gt;ccompiler&lt;/b&gt; 生成 C 并编译。没有后端接受的在 &lt;b&gt;default&lt;/b&gt;（Partita 自带的内核）上运行。同一后端的相邻算子一起编译：这就是&lt;b&gt;区域&lt;/b&gt;。</translation>
    </message>
    <message>
        <source>Every question was answered right</source>
        <translation>所有问题均已答对</translation>
    </message>
    <message>
        <source>Next lesson: %1</source>
        <translation>下一课：%1</translation>
    </message>
    <message>
        <source>Begin here: %1</source>
        <translation>从这里开始：%1</translation>
    </message>
</context>
</TS>
