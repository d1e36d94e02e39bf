export type Point = readonly [x: number, y: number];

const short = (value: number) => String(Math.round(value * 10) / 10);
const at = ([x, y]: Point) => `${short(x)} ${short(y)}`;

/** A curve through all points (Catmull-Rom as Béziers). */
export function curve(points: readonly Point[], closed = false): string {
  const count = points.length;
  const point = (index: number): Point => {
    const kept = closed ? (index + count) % count : Math.min(count - 1, Math.max(0, index));
    return points[kept] ?? [0, 0];
  };
  const bends = Array.from({ length: closed ? count : count - 1 }, (_, index) => {
    const [before, from, to, after] = [-1, 0, 1, 2].map((step) => point(index + step)) as [
      Point,
      Point,
      Point,
      Point,
    ];
    const first: Point = [from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6];
    const second: Point = [to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6];
    return `C${at(first)} ${at(second)} ${at(to)}`;
  });
  return `M${at(point(0))}${bends.join('')}${closed ? 'Z' : ''}`;
}

/** The curve closed along the lower edge of the picture. */
export function ground(points: readonly Point[], bottom: number): string {
  const first = points[0]?.[0] ?? 0;
  const last = points.at(-1)?.[0] ?? 0;
  return `${curve(points)}L${at([last, bottom])}L${at([first, bottom])}Z`;
}

/** Attributes, numbers shortened. */
export function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? short(value) : value}"`)
    .join('');
}

type Extra = Record<string, string | number>;

export const path = (d: string, fill: string, extra: Extra = {}) =>
  `<path${attributes({ d, fill, ...extra })}/>`;

export const line = (d: string, stroke: string, width: number, extra: Extra = {}) =>
  path(d, 'none', {
    stroke,
    'stroke-width': width,
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
    ...extra,
  });

export const circle = (cx: number, cy: number, r: number, fill: string, extra: Extra = {}) =>
  `<circle${attributes({ cx, cy, r, fill, ...extra })}/>`;

export const ellipse = (cx: number, cy: number, rx: number, ry: number, fill: string, extra: Extra = {}) =>
  `<ellipse${attributes({ cx, cy, rx, ry, fill, ...extra })}/>`;

export const rect = (x: number, y: number, width: number, height: number, fill: string, extra: Extra = {}) =>
  `<rect${attributes({ x, y, width, height, fill, ...extra })}/>`;

export const group = (parts: readonly string[], extra: Extra = {}) =>
  `<g${attributes(extra)}>${parts.join('')}</g>`;

/** An arch of the colonnade: straight sides, round top. */
export const arch = (x: number, top: number, width: number, bottom: number) =>
  `M${at([x, bottom])}V${short(top + width / 2)}a${short(width / 2)} ${short(width / 2)} 0 0 1 ${short(width)} 0V${short(bottom)}Z`;

/** A gradient from top to bottom (or along `angle` degrees) under the given id. */
export function gradient(id: string, stops: readonly string[], angle = 90): string {
  const parts = stops.map((color, index) => {
    const offset = stops.length === 1 ? 0 : index / (stops.length - 1);
    return `<stop offset="${offset}" stop-color="${color}"/>`;
  });
  const [x, y] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  const ends = { x1: 0.5 - x / 2, y1: 0.5 - y / 2, x2: 0.5 + x / 2, y2: 0.5 + y / 2 };
  const names = Object.entries(ends).map(([name, value]) => `${name}="${value.toFixed(3)}"`);
  return `<linearGradient id="${id}" ${names.join(' ')}>${parts.join('')}</linearGradient>`;
}

/** A round glow that fades to nothing. */
export const glow = (id: string, color: string) =>
  `<radialGradient id="${id}"><stop offset="0" stop-color="${color}" stop-opacity="0.85"/><stop offset="1" stop-color="${color}" stop-opacity="0"/></radialGradient>`;

/** The shadow that cut paper throws. */
export const paperShadow = `<filter id="lift" x="-15%" y="-15%" width="130%" height="130%"><feDropShadow dx="0" dy="9" stdDeviation="11" flood-color="#1c1009" flood-opacity="0.32"/></filter>`;
export const lifted = { filter: 'url(#lift)' };

/** `color` moved towards `other` by `share`. */
export function mix(color: string, other: string, share: number): string {
  const channels = (hex: string) =>
    [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16));
  const target = channels(other);
  const mixed = channels(color).map((value, index) => value + ((target[index] ?? value) - value) * share);
  return `#${mixed.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
}
