"""A line chart as SVG text."""

import math

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 70, 130, 40, 50
COLORS = ("#1b6ca8", "#b5541c", "#3f7d3a", "#7a4a9c", "#a8871b", "#444444", "#c2417c", "#2aa198")


def nice_step(span):
    """1, 2 or 5 times a power of ten, so that about five steps make `span`."""
    rough = span / 5
    power = 10 ** math.floor(math.log10(rough))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= rough)


def line_chart(title, x_label, y_label, series, x_name="{:g}".format):
    """`series` is {name: [(x, y), …]}; both axes are linear, and y starts at 0. x_name: what stands below an x."""
    xs = sorted({x for points in series.values() for x, _ in points})
    top = max(y for points in series.values() for _, y in points) or 1
    step = nice_step(top)
    top = math.ceil(top / step) * step
    span = xs[-1] - xs[0] or 1

    def at(x, y):
        return (LEFT + (x - xs[0]) / span * (WIDTH - LEFT - RIGHT),
                HEIGHT - BOTTOM - y / top * (HEIGHT - TOP - BOTTOM))

    def text(x, y, content, anchor="middle", more=""):
        return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{content}</text>'

    right, base = WIDTH - RIGHT, HEIGHT - BOTTOM
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
             f'font-size="12" fill="#222">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
             text(LEFT, TOP - 18, title, "start", ' font-size="14"'),
             text((LEFT + right) / 2, HEIGHT - 10, x_label),
             text(16, (TOP + base) / 2, y_label, more=f' transform="rotate(-90 16 {(TOP + base) / 2:.1f})"')]
    for i in range(round(top / step) + 1):
        y = at(xs[0], i * step)[1]
        parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(text(LEFT - 8, y + 4, f"{i * step:g}", "end"))
    for x in xs:
        parts.append(text(at(x, 0)[0], base + 18, x_name(x)))
    labels = []
    for color, (name, points) in zip(COLORS, series.items()):
        places = [at(x, y) for x, y in sorted(points)]
        parts.append(f'<polyline fill="none" stroke="{color}" stroke-width="2" points="'
                     + " ".join(f"{x:.1f},{y:.1f}" for x, y in places) + '"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>' for x, y in places]
        labels.append([places[-1][1] + 4, name, color])
    labels.sort(key=lambda label: label[0])
    for above, label in zip(labels, labels[1:]):
        label[0] = max(label[0], above[0] + 14)
    parts += [text(right + 10, y, name, "start", f' fill="{color}"') for y, name, color in labels]
    return "\n".join([*parts, "</svg>", ""])
