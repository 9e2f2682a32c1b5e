// The page that `export --form page` writes: a graph with groups to open. No library, no network: the module stands in
// the element #module as JSON, and every text of it reaches the page by textContent alone.
'use strict';
(() => {
const data = JSON.parse(document.getElementById('module').textContent);
const nodes = data.nodes, edges = data.edges;
const byId = id => document.getElementById(id);
const colourOf = backend => data.colours[backend < 0 ? data.backends.length : backend];
const backendOf = backend => backend < 0 ? 'default' : data.backends[backend];
const users = nodes.map(() => []), inputs = nodes.map(() => []);
edges.forEach(([from, to]) => { users[from].push(to); inputs[to].push(from); });

// --- groups: blocks that come again and again, scopes of names, or regions ---

function scopeGroups() {
    const groups = [], of = nodes.map(() => -1), known = new Map();
    nodes.forEach((node, i) => {
        const parts = node.l.split(/[/.]/).filter(part => part);
        let parent = -1, path = '';
        parts.slice(0, -1).slice(0, 8).forEach(part => {
            path += '/' + part;
            if (!known.has(path)) {
                known.set(path, groups.length);
                groups.push({title: part, parent});
            }
            parent = known.get(path);
        });
        of[i] = parent;
    });
    return groups.length > 1 ? {groups, of} : null;
}

function regionGroups() {
    if (!data.regions.length) return null;
    return {groups: data.regions.map(region => ({title: region.name, parent: -1})), of: nodes.map(node => node.r)};
}

const blockGroups = () => data.blocks.groups.length ? {groups: data.blocks.groups, of: [...data.blocks.of]} : null;

const makers = {none: () => null, blocks: blockGroups, scopes: scopeGroups, regions: regionGroups};
let tree = null, open = new Set();

function group(kind) {
    tree = makers[kind]();
    open = new Set();
    if (!tree) return;
    // An input that one group alone uses goes with it; blocks were made so.
    const join = (i, others) => {
        if (tree.of[i] < 0 && others.length && others.every(other => tree.of[other] === tree.of[others[0]]))
            tree.of[i] = tree.of[others[0]];
    };
    if (kind !== 'blocks') nodes.forEach((node, i) => { if (!inputs[i].length) join(i, users[i]); });
    tree.size = tree.groups.map(() => 0);
    tree.of.forEach(g => { for (; g >= 0; g = tree.groups[g].parent) ++tree.size[g]; });
}

/// The outermost closed group round a node, or -1.
function closedRound(node) {
    let closed = -1;
    for (let g = tree ? tree.of[node] : -1; g >= 0; g = tree.groups[g].parent) if (!open.has(g)) closed = g;
    return closed;
}

// --- what is shown, and where ---

let shown = [], shownOf = [], shownEdges = [];

function collapse() {
    const itemOf = new Map();
    shown = [];
    shownOf = nodes.map((node, i) => {
        const g = closedRound(i), key = g < 0 ? 'n' + i : 'g' + g;
        if (!itemOf.has(key)) {
            itemOf.set(key, shown.length);
            shown.push({group: g, members: []});
        }
        shown[itemOf.get(key)].members.push(i);
        return itemOf.get(key);
    });
    const joined = new Map();
    edges.forEach(([from, to, refused]) => {
        const a = shownOf[from], b = shownOf[to];
        if (a === b) return;
        const key = a * shown.length + b, old = joined.get(key);
        if (old) old.refused = old.refused || refused;
        else joined.set(key, {from: a, to: b, refused});
    });
    shownEdges = [...joined.values()];
    shown.forEach(describe);
}

function describe(item) {
    const first = nodes[item.members[0]];
    item.title = item.group < 0 ? first.n : tree.groups[item.group].title;
    item.line = item.group < 0 ? first.t : item.members.length + ' operators';
    const shares = new Map();
    item.members.forEach(i => { if (!nodes[i].d) shares.set(nodes[i].b, (shares.get(nodes[i].b) || 0) + 1); });
    item.shares = [...shares].sort((a, b) => a[0] - b[0]);
    item.data = item.group < 0 && first.d;
    const long = Math.max(item.title.length * 7.4, Math.min(item.line.length, 40) * 5.6);
    item.w = Math.max(70, Math.min(240, long + 22));
    item.h = item.line ? 38 : 26;
}

const mostBends = 20000;

/// The layer of each item: the longest way to it. Where groups use each other, an edge that closes a circle counts not.
function findLayers() {
    const layer = shown.map(() => 0), left = shown.map(() => 0), out = shown.map(() => []);
    const queued = shown.map(() => false);
    shownEdges.forEach(edge => { ++left[edge.to]; out[edge.from].push(edge.to); });
    const ready = shown.map((item, i) => i).filter(i => !left[i]);
    ready.forEach(i => { queued[i] = true; });
    let next = 0;
    for (let at = 0; at < shown.length; ++at) {
        if (at === ready.length) {  // a circle: the first one in it goes on
            while (queued[next]) ++next;
            queued[next] = true;
            ready.push(next);
        }
        const item = ready[at];
        out[item].forEach(to => {
            if (queued[to]) return;
            layer[to] = Math.max(layer[to], layer[item] + 1);
            if (--left[to]) return;
            queued[to] = true;
            ready.push(to);
        });
    }
    return layer;
}

/// In layers from above, with a bend in each layer that an edge passes.
function layOut() {
    const layer = findLayers();
    const layers = [], items = [];
    const add = (at, w, h, item) => {
        (layers[at] = layers[at] || []).push(items.length);
        items.push({at, w, h, item, up: [], down: [], x: 0});
        return items.length - 1;
    };
    shown.forEach((item, i) => add(layer[i], item.w, item.h, item));
    shownEdges.forEach(edge => {
        edge.bends = [];
        if (layer[edge.from] >= layer[edge.to]) return;
        let last = edge.from;
        for (let at = layer[edge.from] + 1; at < layer[edge.to] && items.length < mostBends; ++at) {
            const bend = add(at, 14, 0, null);
            edge.bends.push(bend);
            items[last].down.push(bend);
            items[bend].up.push(last);
            last = bend;
        }
        items[last].down.push(edge.to);
        items[edge.to].up.push(last);
    });
    place(layers, items);
    shownEdges.forEach(edge => { edge.bends = edge.bends.map(bend => items[bend]); });
}

function place(layers, items) {
    const mean = list => list.reduce((sum, i) => sum + items[i].x, 0) / list.length;
    const pack = layer => {
        let x = 0;
        layer.forEach(i => { items[i].x = x + items[i].w / 2; x += items[i].w + 26; });
        layer.forEach(i => { items[i].x -= x / 2; });
    };
    layers.forEach(pack);
    for (let round = 0; round < 8; ++round) {
        const down = round % 2 === 0, order = down ? layers : [...layers].reverse();
        order.forEach(layer => {
            const wish = new Map(layer.map(i => {
                const beside = down ? items[i].up : items[i].down;
                return [i, beside.length ? mean(beside) : items[i].x];
            }));
            if (round < 6) layer.sort((a, b) => wish.get(a) - wish.get(b));
            spread(layer.map(i => items[i]), layer.map(i => wish.get(i)));
        });
    }
    let y = 0;
    layers.forEach(layer => {
        const high = Math.max(...layer.map(i => items[i].h), 20);
        layer.forEach(i => { items[i].y = y + high / 2; });
        y += high + 34;
    });
    items.forEach(item => { if (item.item) { item.item.x = item.x; item.item.y = item.y; } });
}

/// As near to what each wishes as the others leave room.
function spread(row, wish) {
    const gap = (a, b) => (a.w + b.w) / 2 + 22, left = [], right = [];
    row.forEach((item, k) => { left[k] = k ? Math.max(wish[k], left[k - 1] + gap(row[k - 1], item)) : wish[k]; });
    for (let k = row.length - 1; k >= 0; --k)
        right[k] = k + 1 < row.length ? Math.min(wish[k], right[k + 1] - gap(row[k], row[k + 1])) : wish[k];
    row.forEach((item, k) => { item.x = (left[k] + right[k]) / 2; });
    for (let k = 1; k < row.length; ++k) row[k].x = Math.max(row[k].x, row[k - 1].x + gap(row[k - 1], row[k]));
}

// --- drawing ---

const svg = byId('canvas'), world = byId('world');
const view = {x: 0, y: 0, zoom: 1};
let selected = [], hits = new Set(), current = -1;

function element(name, attributes, text) {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    if (text !== undefined) made.textContent = text;
    return made;
}

const cut = (text, most) => text.length > most ? text.slice(0, most - 1) + '…' : text;

function curve(points) {
    let d = 'M' + points[0];
    for (let i = 1; i < points.length; ++i) {
        const [x0, y0] = points[i - 1], [x1, y1] = points[i], middle = (y0 + y1) / 2;
        d += 'C' + [x0, middle, x1, middle, x1, y1];
    }
    return d;
}

function pointsOf(edge) {
    const a = shown[edge.from], b = shown[edge.to];
    return [[a.x, a.y + a.h / 2], ...edge.bends.map(bend => [bend.x, bend.y]), [b.x, b.y - b.h / 2 - 3]];
}

function drawEdge(edge) {
    const into = selected.some(i => shownOf[i] === edge.to), out = selected.some(i => shownOf[i] === edge.from);
    const path = element('path', {d: curve(pointsOf(edge)), 'marker-end': 'url(#arrow)',
        class: 'edge' + (edge.refused ? ' refused' : into ? ' in' : out ? ' out' : '')});
    world.append(path);
}

function drawNode(item, index) {
    const marked = item.members.some(i => selected.includes(i)), hit = item.members.some(i => hits.has(i));
    const g = element('g', {class: 'node' + (item.group >= 0 ? ' group' : '') + (marked ? ' selected' : '') +
                                   (hit ? ' hit' : ''), 'data-item': index});
    const left = item.x - item.w / 2, top = item.y - item.h / 2;
    if (item.group >= 0)
        g.append(element('rect', {class: 'box', x: left + 4, y: top + 4, width: item.w, height: item.h, rx: 6}));
    g.append(element('rect', {class: 'box', x: left, y: top, width: item.w, height: item.h, rx: item.data ? 14 : 6}));
    let x = left + 1;
    const all = item.shares.reduce((sum, share) => sum + share[1], 0);
    item.shares.forEach(([backend, count]) => {
        const width = (item.w - 2) * count / all;
        if (backend >= 0 || item.group >= 0)
            g.append(element('rect', {x, y: top + item.h - 5, width, height: 4, fill: colourOf(backend)}));
        x += width;
    });
    g.append(element('text', {x: left + 10, y: top + 16}, cut(item.title, 30)));
    if (item.line) g.append(element('text', {class: 'small', x: left + 10, y: top + 29}, cut(item.line, 40)));
    g.append(element('title', {}, item.title + '\n' + item.line + '\n' +
        item.shares.map(([backend, count]) => backendOf(backend) + ': ' + count).join('\n')));
    world.append(g);
}

/// A region's operators with a margin round them and the edges between them, as one area.
function drawRegions() {
    const members = new Map();
    shown.forEach((item, index) => {
        const region = item.group < 0 ? nodes[item.members[0]].r : -1;
        if (region < 0) return;
        const colour = colourOf(data.regions[region].backend);
        if (!members.has(region)) members.set(region, element('g', {class: 'region', fill: colour, stroke: colour}));
        members.get(region).append(element('rect', {x: item.x - item.w / 2 - 8, y: item.y - item.h / 2 - 8, rx: 12,
                                                    width: item.w + 16, height: item.h + 16, 'stroke-width': 0}));
    });
    shownEdges.forEach(edge => {
        const [a, b] = [shown[edge.from], shown[edge.to]];
        const region = a.group < 0 && b.group < 0 ? nodes[a.members[0]].r : -1;
        if (region < 0 || nodes[b.members[0]].r !== region) return;
        members.get(region).append(element('path', {d: curve(pointsOf(edge)), fill: 'none', 'stroke-width': 14}));
    });
    members.forEach(area => world.append(area));
}

function draw() {
    world.replaceChildren();
    drawRegions();
    shownEdges.forEach(drawEdge);
    shown.forEach(drawNode);
    look();
    document.documentElement.dataset.shown = shown.length;
}

function look() { world.setAttribute('transform', `translate(${view.x} ${view.y}) scale(${view.zoom})`); }

function bounds(items) {
    const box = {left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity};
    items.forEach(item => {
        box.left = Math.min(box.left, item.x - item.w / 2);
        box.right = Math.max(box.right, item.x + item.w / 2);
        box.top = Math.min(box.top, item.y - item.h / 2);
        box.bottom = Math.max(box.bottom, item.y + item.h / 2);
    });
    return box;
}

const room = () => svg.getBoundingClientRect();

/// All of the graph where it can be read so, else its beginning.
function fit(all) {
    if (!shown.length) return;
    const box = bounds(shown), {width, height} = room();
    const whole = Math.min((width - 40) / (box.right - box.left), (height - 40) / (box.bottom - box.top), 1.4);
    view.zoom = all ? whole : Math.max(whole, Math.min(0.8, (width - 40) / (box.right - box.left)), 0.25);
    view.x = width / 2 - (box.left + box.right) / 2 * view.zoom;
    const high = (box.bottom - box.top) * view.zoom;
    view.y = high < height ? height / 2 - (box.top + box.bottom) / 2 * view.zoom : 20 - box.top * view.zoom;
    look();
}

function reveal(item) {
    const {width, height} = room(), x = item.x * view.zoom + view.x, y = item.y * view.zoom + view.y;
    if (view.zoom < 0.5) view.zoom = 0.8;
    else if (x > 40 && x < width - 40 && y > 40 && y < height - 40) return;
    view.x = width / 2 - item.x * view.zoom;
    view.y = height / 2 - item.y * view.zoom;
    look();
}

/// Makes the picture anew; what stood at `kept` stays where it was on the screen.
function rebuild(kept) {
    const before = kept === undefined ? null : shown[shownOf[kept]];
    const place = before && {x: before.x * view.zoom + view.x, y: before.y * view.zoom + view.y};
    collapse();
    layOut();
    draw();
    if (!place) return fit(false);
    const now = shown[shownOf[kept]];
    view.x = place.x - now.x * view.zoom;
    view.y = place.y - now.y * view.zoom;
    look();
}

function toggle(item) {
    if (item.group < 0) return;
    open.add(item.group);
    rebuild(item.members[0]);
}

function closeRound(node) {
    for (let g = tree ? tree.of[node] : -1; g >= 0; g = tree.groups[g].parent)
        if (open.has(g)) {
            open.delete(g);
            return rebuild(node);
        }
}

// --- the panel ---

function make(name, text, className) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
}

function link(text, node) {
    const made = make('button', text, 'link');
    made.addEventListener('click', () => show(node));
    return made;
}

// Words stay whole, but for names that no column has room for.
function kindOf(cell) {
    return /^[0-9.,%+\-e ]+$/.test(cell) ? 'number' : /\S{25}/.test(cell) ? 'long' : '';
}

function row(table, name, value) {
    const line = make('tr');
    line.append(make('th', name, 'quiet'), make('td', value, kindOf(value) === 'long' ? 'long' : ''));
    table.append(line);
}

const nameOf = node => nodes[node].n + (nodes[node].i ? ' #' + nodes[node].i : '');

// Opens the node in the window of whoever has the file and the program.
function placeLink(i) {
    const plain = text => encodeURIComponent(text).replaceAll('%2F', '/').replaceAll('%3A', ':').replaceAll('%2C', ',');
    const backends = data.backends.length ? 'backends=' + data.backends.map(encodeURIComponent).join(',') + '&until=partition&' : '';
    const made = make('a', 'partita:' + plain(data.title) + '?' + backends + 'select=' +
                                (nodes[i].l ? plain('name:' + nodes[i].l) : plain('#' + nodes[i].i)) + '&panel=why');
    made.href = made.textContent;
    return made;
}

function list(panel, title, members) {
    if (!members.length) return;
    panel.append(make('h3', title));
    members.slice(0, 60).forEach(node => panel.append(link(nameOf(node), node)));
    if (members.length > 60) panel.append(make('p', 'and ' + (members.length - 60) + ' more', 'quiet'));
}

function tellNode(panel, i) {
    const node = nodes[i], table = make('table');
    panel.append(make('h2', nameOf(i)));
    if (node.l) row(table, 'Name', node.l);
    if (!node.d) row(table, 'Backend', backendOf(node.b));
    if (node.r >= 0) {
        const region = data.regions[node.r];
        row(table, 'Region', region.name + (region.ms ? ', ' + region.ms : ''));
    }
    if (node.t) row(table, 'Type', node.t);
    if (node.a) row(table, 'Attributes', node.a);
    panel.append(table);
    if (node.w >= 0) panel.append(make('h3', 'Why'), make('pre', data.why[node.w]));
    data.refused.filter(each => each.from === i || each.to === i || (each.a === node.r && node.r >= 0) ||
                                (each.b === node.r && node.r >= 0)).slice(0, 10).forEach(each => {
        panel.append(make('h3', 'Not merged'), make('pre', each.why), link(nameOf(each.from), each.from),
                     link(nameOf(each.to), each.to));
    });
    list(panel, 'Inputs', inputs[i]);
    list(panel, 'Used by', users[i]);
    if (nodes[i].l || nodes[i].i) panel.append(make('h3', 'Link'), placeLink(i));
}

function tellAll(panel) {
    panel.append(make('h2', data.title));
    panel.append(make('p', 'Click a node to read why it goes where it goes. Enter or a double click opens a group, C ' +
                           'closes the one round a node, F fits, / searches.', 'quiet'));
    if (data.backends.length) panel.append(make('h3', 'Backends'));
    data.backends.concat('default').forEach((name, i) => {
        const backend = i < data.backends.length ? i : -1, line = make('div'), swatch = make('span', '', 'swatch');
        const count = nodes.filter(node => !node.d && node.b === backend).length;
        swatch.style.background = colourOf(backend);
        line.append(swatch, name + ': ' + count);
        if (data.backends.length) panel.append(line);
    });
    if (data.regions.length) panel.append(make('h3', 'Regions'));
    // As the graph runs: by the number of the first operator, which ends the name.
    const first = data.regions.map(region => Number(/#(\d+)$/.exec(region.name)?.[1] ?? Infinity));
    data.regions.map((region, r) => r).sort((a, b) => first[a] - first[b] || a - b).slice(0, 400).forEach(r => {
        const region = data.regions[r];
        const made = make('button', region.name + (region.ms ? ' · ' + region.ms : ''), 'link');
        made.addEventListener('click', () => select(nodes.map((node, i) => i).filter(i => nodes[i].r === r), true));
        panel.append(made);
    });
    data.tables.forEach(table => tellTable(panel, table));
}

function tellTable(panel, table) {
    const made = make('table'), head = make('tr');
    table.header.forEach(cell => head.append(make('th', cell)));
    made.append(head);
    table.rows.forEach(cells => {
        const line = make('tr');
        cells.forEach(cell => line.append(make('td', cell, kindOf(cell))));
        made.append(line);
    });
    panel.append(make('h3', table.title), made);
}

function tell() {
    const panel = byId('panel');
    panel.replaceChildren();
    if (selected.length === 1) tellNode(panel, selected[0]);
    else if (selected.length) {
        const group = shown[shownOf[selected[0]]];
        const closed = group.group >= 0 && group.members.length === selected.length;
        panel.append(make('h2', (closed ? group.title + ': ' : '') + selected.length + ' operators'));
        list(panel, 'Operators', selected);
    } else tellAll(panel);
    panel.scrollTop = 0;
}

function select(list, look) {
    selected = list;
    current = list.length ? list[0] : -1;
    draw();
    tell();
    if (look && list.length) reveal(shown[shownOf[list[0]]]);
}

/// Selects a node, and opens the groups that it lies in.
function show(node) {
    let closed = closedRound(node), opened = false;
    for (; closed >= 0; closed = closedRound(node)) opened = Boolean(open.add(closed));
    if (opened) rebuild(node);
    select([node], true);
}

// --- search ---

function search(text) {
    const words = text.toLowerCase().split(/\s+/).filter(word => word), panel = byId('panel');
    hits = new Set();
    if (words.length)
        nodes.forEach((node, i) => {
            const all = [nameOf(i), node.l, node.t, node.a, node.d ? '' : backendOf(node.b),
                         node.r >= 0 ? data.regions[node.r].name : ''].join('\n').toLowerCase();
            if (words.every(word => all.includes(word))) hits.add(i);
        });
    selected = [];
    draw();
    if (!words.length) return tell();
    panel.replaceChildren(make('h2', hits.size + (hits.size === 1 ? ' hit' : ' hits')));
    [...hits].slice(0, 300).forEach(i => {
        panel.append(link(nameOf(i) + (nodes[i].l ? ' · ' + nodes[i].l : ''), i));
    });
}

// --- hands ---

const itemAt = event => {
    const g = event.target.closest ? event.target.closest('g.node') : null;
    return g ? shown[Number(g.dataset.item)] : null;
};

function zoomAt(factor, x, y) {
    const zoom = Math.min(4, Math.max(0.01, view.zoom * factor));
    view.x = x - (x - view.x) * zoom / view.zoom;
    view.y = y - (y - view.y) * zoom / view.zoom;
    view.zoom = zoom;
    look();
}

const pointers = new Map();
let moved = false;

svg.addEventListener('pointerdown', event => {
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    moved = pointers.size > 1;
});
window.addEventListener('pointermove', event => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const before = [...pointers.values()].map(place => [...place]);
    const by = [event.clientX - last[0], event.clientY - last[1]];
    if (!moved && Math.hypot(...by) < 4) return;
    moved = true;
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    view.x += by[0] / pointers.size;
    view.y += by[1] / pointers.size;
    if (pointers.size === 2) {
        const now = [...pointers.values()], {left, top} = room();
        const far = list => Math.hypot(list[0][0] - list[1][0], list[0][1] - list[1][1]);
        zoomAt(far(now) / Math.max(1, far(before)), (now[0][0] + now[1][0]) / 2 - left,
               (now[0][1] + now[1][1]) / 2 - top);
    }
    look();
});
['pointerup', 'pointercancel'].forEach(name => window.addEventListener(name, event => {
    pointers.delete(event.pointerId);
}));
/// Two clicks or taps on one node open it. Browsers do not agree on what a double click hits that was drawn anew.
let last = {time: 0, node: -1};
svg.addEventListener('click', event => {
    if (moved) return;
    const item = itemAt(event), node = item ? item.members[0] : -1;
    const again = item && node === last.node && event.timeStamp - last.time < 450;
    last = again ? {time: 0, node: -1} : {time: event.timeStamp, node};
    select(item ? item.members : [], false);
    svg.focus();
    if (again) toggle(item);
});
svg.addEventListener('wheel', event => {
    event.preventDefault();
    const {left, top} = room();
    if (event.ctrlKey || event.metaKey)
        return zoomAt(Math.exp(-event.deltaY * 0.002), event.clientX - left, event.clientY - top);
    view.x -= event.shiftKey ? event.deltaY : event.deltaX;
    view.y -= event.shiftKey ? 0 : event.deltaY;
    look();
}, {passive: false});

/// Up to an input, down to a user, left and right to the neighbour.
function travel(key) {
    if (current < 0) return show(0);
    const here = shown[shownOf[current]], index = shownOf[current];
    const up = key === 'ArrowUp', across = key === 'ArrowLeft' || key === 'ArrowRight';
    const near = across ? shown.filter(item => Math.abs(item.y - here.y) < 40 &&
                                               (key === 'ArrowLeft' ? item.x < here.x : item.x > here.x))
                        : shownEdges.filter(edge => (up ? edge.to : edge.from) === index)
                              .map(edge => shown[up ? edge.from : edge.to]);
    near.sort((a, b) => Math.abs(a.x - here.x) - Math.abs(b.x - here.x));
    if (near.length) select(near[0].members, true);
}

const keys = {
    f: () => fit(true), '+': () => zoomAt(1.25, room().width / 2, room().height / 2),
    '-': () => zoomAt(0.8, room().width / 2, room().height / 2), '/': () => byId('search').focus(),
    Enter: () => { if (current >= 0) toggle(shown[shownOf[current]]); },
    c: () => { if (current >= 0) closeRound(current); }, Escape: () => select([], false),
};
svg.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const work = event.key.startsWith('Arrow') ? () => travel(event.key) : keys[event.key];
    if (!work) return;
    event.preventDefault();
    work();
});
byId('search').addEventListener('input', event => search(event.target.value));
byId('search').addEventListener('keydown', event => {
    if (event.key === 'Enter' && hits.size) show([...hits][0]);
    if (event.key !== 'Escape') return;
    event.target.value = '';
    search('');
    svg.focus();
});
byId('fit').addEventListener('click', () => fit(true));
byId('open').addEventListener('click', () => { if (tree) tree.groups.forEach((g, i) => open.add(i)); rebuild(); });
byId('theme').addEventListener('click', () => setTheme(document.documentElement.dataset.theme !== 'dark'));
byId('groups').addEventListener('change', event => { group(event.target.value); rebuild(); });

function setTheme(dark) { document.documentElement.dataset.theme = dark ? 'dark' : 'light'; }

/// Groups where there are too many nodes to be read.
function start() {
    setTheme(window.matchMedia('(prefers-color-scheme: dark)').matches);
    const kinds = nodes.length <= 100 ? [] : ['blocks', 'scopes', 'regions'];
    const kind = kinds.find(each => makers[each]()) || 'none';
    group(kind);
    byId('groups').value = kind;
    if (kind === 'scopes') tree.groups.forEach((g, i) => { if (tree.size[i] > nodes.length / 2) open.add(i); });
    rebuild();
    tell();
    const wanted = new URLSearchParams(location.hash.slice(1));
    if (wanted.get('find')) {
        byId('search').value = wanted.get('find');
        search(wanted.get('find'));
    }
    const node = nodes.findIndex(each => each.i && String(each.i) === wanted.get('node'));
    if (node >= 0) show(node);
    document.documentElement.dataset.ready = '1';
}
start();
})();
