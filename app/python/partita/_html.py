"""Tables and pictures for Jupyter. Names come from files that nobody checked: every cell is escaped."""
import base64
import html
from typing import Any, Iterable, Sequence

MOST_ROWS = 200


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return "%.4g" % value
    return html.escape(str(value))


def picture(svg: str) -> str:
    """An SVG as an image of a page."""
    return '<img src="data:image/svg+xml;base64,%s"/>' % base64.b64encode(svg.encode()).decode()


def table(title: str, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """One table; numbers stand to the right, rows above a limit are counted."""
    rows = list(rows)
    text = "<table><caption>%s</caption><thead><tr>" % html.escape(title)
    text += "".join("<th>%s</th>" % html.escape(name) for name in header) + "</tr></thead><tbody>"
    for row in rows[:MOST_ROWS]:
        cells = ('<td style="text-align:%s">%s</td>' % ("right" if isinstance(cell, (int, float)) else "left",
                                                        _cell(cell)) for cell in row)
        text += "<tr>%s</tr>" % "".join(cells)
    if len(rows) > MOST_ROWS:
        text += '<tr><td colspan="%d">and %d more</td></tr>' % (len(header), len(rows) - MOST_ROWS)
    return text + "</tbody></table>"
