import { backdrop, type Composition, sheet } from '../composition.ts';
import {
  arch,
  circle,
  curve,
  gradient,
  ground,
  group,
  lifted,
  line,
  mix,
  paperShadow,
  path,
  type Point,
  rect,
} from '../svg.ts';

/** Stairs through arches into the light. */
export const stairs: Composition = (palette, random) => {
  const { sun, light, soft, mid, strong, dark, paper } = palette;
  const count = random.whole(7, 8);
  const [run, rise] = [104, 62];
  const steps = Array.from({ length: count }, (_, index) => {
    const x = 250 + index * run;
    const y = 930 - (index + 1) * rise;
    return (
      rect(x, y, sheet.width - x, rise + 1, mix(mid, light, index / count)) +
      rect(x, y, sheet.width - x, 11, mix(paper, light, 0.3))
    );
  });
  const top = 930 - count * rise;
  const doorX = 250 + (count - 1) * run + 70;
  return [
    `<defs>${paperShadow}${gradient('door', [mix(sun, '#ffe2ae', 0.65), sun])}${gradient('wall', [mix(strong, soft, 0.25), strong])}</defs>`,
    backdrop(palette, 60),
    circle(random.between(300, 430), 270, 130, sun),
    path(
      ground(
        [
          [-20, 700],
          [140, 640],
          [330, 690],
          [560, 600],
          [800, 690],
        ],
        1000,
      ),
      mix(soft, palette.sky[1], 0.3),
    ),
    rect(820, 0, 680, 1000, 'url(#wall)'),
    path('M820 0V1000H760V60Z', mix(strong, dark, 0.45)),
    path(arch(doorX - 24, top - 386, 272, top), mix(strong, dark, 0.35)),
    path(arch(doorX, top - 360, 224, top), 'url(#door)'),
    group(steps, lifted),
    path(`M${doorX} ${top}h224l-190 300h-330Z`, mix(sun, '#ffe2ae', 0.6), { opacity: 0.35 }),
    rect(0, 928, sheet.width, 80, mix(strong, dark, 0.5)),
  ].join('');
};

/** A path that winds to a far peak. */
export const trail: Composition = (palette, random) => {
  const { sun, light, soft, mid, strong, dark, paper, sky } = palette;
  const peak = random.between(640, 860);
  const mountain = (x: number, y: number, half: number, fill: string) =>
    path(`M${x - half} 660L${x} ${y}L${x + half} 660Z`, fill) +
    path(`M${x} ${y}L${x + half} 660H${x + half * 0.25}L${x - half * 0.06} ${y + 130}Z`, dark, {
      opacity: 0.16,
    });
  const snow = path(
    `M${peak} 210L${peak + 86} 302L${peak + 38} 290L${peak + 4} 330L${peak - 34} 286L${peak - 80} 300Z`,
    paper,
  );
  const widths = [8, 15, 26, 42, 66, 104, 160];
  const middle = widths.map((_, index): Point => [
    peak + Math.sin(index * 1.25 + 0.4) * (30 + index * 52),
    560 + index * 76,
  ]);
  const left = middle.map(([x, y], index): Point => [x - (widths[index] ?? 0), y]);
  const right = middle.map(([x, y], index): Point => [x + (widths[index] ?? 0), y]);
  const way = `${curve(left)}L${right.at(-1)?.join(' ')}${curve(right.toReversed()).replace('M', 'L')}Z`;
  const trees = Array.from({ length: 14 }, () => {
    const side = random.chance(0.5);
    const x = side ? random.between(20, 400) : random.between(1110, 1490);
    const y = random.between(690, 960);
    const size = (y - 540) / 260;
    return { x, y, size };
  })
    .sort((a, b) => a.y - b.y)
    .map(
      ({ x, y, size }) =>
        path(
          'M0-150C46-90 52-20 0 0C-52-20-46-90 0-150Z',
          random.pick([strong, dark, mix(strong, dark, 0.5)] as const),
          { transform: `translate(${x} ${y}) scale(${size})` },
        ) + line(`M${x} ${y - 60 * size}V${y + 14}`, mix(dark, soft, 0.25), 5 * size),
    );
  return [
    backdrop(palette),
    circle(peak + random.between(240, 330), 260, 110, sun),
    mountain(peak - 330, 360, 330, mix(soft, sky[1], 0.35)),
    mountain(peak + 350, 330, 340, mix(soft, sky[1], 0.2)),
    mountain(peak, 210, 420, mid),
    snow,
    line(`M${peak} 212V128`, dark, 7),
    path(`M${peak + 3} 130l74 24l-74 26Z`, sun === strong ? dark : strong),
    path(
      ground(
        [
          [-20, 590],
          [260, 560],
          [620, 575],
          [900, 548],
          [1240, 580],
          [1520, 550],
        ],
        1000,
      ),
      mix(soft, light, 0.2),
    ),
    path(
      ground(
        [
          [-20, 720],
          [300, 690],
          [640, 740],
          [1000, 690],
          [1520, 730],
        ],
        1000,
      ),
      mix(mid, soft, 0.35),
    ),
    path(way, mix(paper, light, 0.5)),
    ...trees,
  ].join('');
};

/** Arches within arches. */
export const archway: Composition = (palette, random) => {
  const { sun, light, soft, mid, strong, dark, paper } = palette;
  const bands = [strong, soft, mid, light, sun] as const;
  const shift = random.whole(0, 4);
  const rainbow = (x: number, bottom: number, radius: number, count: number, turn: number) =>
    Array.from({ length: count }, (_, index) => {
      const r = radius * (1 - index / (count + 0.6));
      const fill = bands[(index + turn) % bands.length] ?? strong;
      return path(arch(x - r, bottom - r * 1.28, r * 2, bottom), fill, lifted);
    }).join('');
  const hole = (x: number, bottom: number, radius: number, count: number) => {
    const r = radius * (1 - count / (count + 0.6)) * 0.9;
    return path(arch(x - r, bottom - r * 1.28, r * 2, bottom), mix(dark, strong, 0.3));
  };
  return [
    `<defs>${paperShadow}</defs>`,
    backdrop(palette, 60),
    circle(random.between(200, 300), random.between(180, 240), 96, sun),
    rainbow(250, 900, 250, 4, shift + 2),
    rainbow(1290, 900, 290, 4, shift + 1),
    rainbow(780, 900, 480, 6, shift),
    hole(780, 900, 480, 6),
    rect(0, 900, sheet.width, 100, mix(paper, soft, 0.3)),
    rect(0, 900, sheet.width, 12, paper),
    ...Array.from({ length: 7 }, (_, index) =>
      circle(1010 + index * 52, 170 + Math.sin(index) * 16, 10 + (index % 3) * 5, bands[index % 5] ?? strong),
    ),
  ].join('');
};
