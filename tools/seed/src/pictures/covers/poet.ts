import { backdrop, type Composition, sheet } from '../composition.ts';
import {
  circle,
  curve,
  glow,
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

/** A moon above still water. */
export const moonlight: Composition = (palette, random) => {
  const { sun, light, soft, mid, strong, dark, sky } = palette;
  const moon = random.between(520, 980);
  const ridge = (y: number, height: number, fill: string) => {
    const points = Array.from({ length: 8 }, (_, index): Point => [
      index * 220 - 20,
      y - random.between(0, height),
    ]);
    return path(ground(points, 620), fill);
  };
  const ripples = Array.from({ length: 15 }, (_, row) => {
    const wide = 30 + row * 17 * random.between(0.7, 1.3);
    return rect(moon - wide + random.between(-26, 26), 640 + row * 23, wide * 2, 8, sun, {
      rx: 4,
      opacity: 0.85 - row * 0.045,
    });
  });
  const reeds = Array.from({ length: 17 }, () => {
    const left = random.chance(0.55);
    const x = left ? random.between(-10, 300) : random.between(1200, 1510);
    const height = random.between(160, 420);
    const lean = random.between(-70, 70);
    const tip: Point = [x + lean, 1000 - height];
    return (
      line(`M${x} 1010Q${x} ${1000 - height / 2} ${tip[0]} ${tip[1]}`, dark, random.between(5, 9)) +
      (random.chance(0.5) ? line(`M${tip[0]} ${tip[1]}l${lean * 0.14} -62`, mix(dark, soft, 0.35), 17) : '')
    );
  });
  return [
    `<defs>${glow('glow', sun)}${gradient('water', [mix(sky[1], mid, 0.6), strong, dark])}</defs>`,
    backdrop(palette),
    circle(moon, 330, 330, 'url(#glow)', { opacity: 0.7 }),
    circle(moon, 330, 132, sun),
    circle(moon - 40, 300, 24, light, { opacity: 0.5 }),
    circle(moon + 46, 372, 34, light, { opacity: 0.4 }),
    ridge(600, 190, mix(mid, sky[1], 0.45)),
    ridge(616, 120, strong),
    rect(0, 612, sheet.width, 400, 'url(#water)'),
    ...ripples,
    ...reeds,
  ].join('');
};

/** A bough before the sun. */
export const bough: Composition = (palette, random) => {
  const { sun, soft, mid, strong, dark, paper } = palette;
  const fills = [soft, mid, strong, strong, mix(mid, sun, 0.4)] as const;
  const spine = Array.from({ length: 12 }, (_, index): Point => [
    120 + index * 118,
    800 - index * 52 + Math.sin(index * 0.7) * 46,
  ]);
  const leaf = ([x, y]: Point, angle: number, size: number, fill: string) =>
    group(
      [
        path('M0 0C22-62 84-92 150-74C134-12 78 30 0 0Z', fill),
        line('M8-2C48-24 92-44 136-64', mix(fill, paper, 0.5), 3, { opacity: 0.7 }),
      ],
      { transform: `translate(${x} ${y}) rotate(${angle}) scale(${size})` },
    );
  const leaves = spine.flatMap((point, index) =>
    ([1, -1] as const).map((side) => {
      const angle = (side === 1 ? -48 : 52) + random.between(-16, 16);
      return leaf(point, angle, random.between(0.95, 1.5) * (1 - index * 0.025), random.pick(fills));
    }),
  );
  const tip = spine.at(-1) ?? [0, 0];
  return [
    `<defs>${paperShadow}${gradient('sun', [mix(sun, '#ffdf9e', 0.5), sun])}</defs>`,
    backdrop(palette, 70),
    circle(
      random.between(820, 1000),
      random.between(380, 520),
      random.between(290, 350),
      'url(#sun)',
      lifted,
    ),
    group([line(curve(spine), dark, 13), ...leaves, leaf(tip, -8, 1.2, strong)], lifted),
    ...Array.from({ length: 5 }, () =>
      leaf(
        [random.between(180, 1300), random.between(760, 920)],
        random.between(-180, 180),
        random.between(0.4, 0.6),
        random.pick(fills),
      ),
    ),
  ].join('');
};

/** Birds between bands of cloud. */
export const flight: Composition = (palette, random) => {
  const { sun, light, soft, mid, strong, dark, paper } = palette;
  const band = (y: number, fill: string) => {
    const points = Array.from({ length: 9 }, (_, index): Point => [
      index * 200 - 50,
      y + random.between(-48, 48),
    ]);
    return path(ground(points, sheet.height), fill, lifted);
  };
  const bird = (x: number, y: number, size: number) =>
    path('M-62-26C-38-46-14-30 0-2C14-30 40-48 66-30C42-28 20-14 4 16L-2 16C-16-10-36-22-62-26Z', dark, {
      transform: `translate(${x} ${y}) rotate(${random.between(-16, 12)}) scale(${size})`,
    });
  const head: Point = [random.between(560, 700), random.between(190, 240)];
  const flock = Array.from({ length: 9 }, (_, index) => {
    const row = Math.ceil(index / 2);
    const side = index % 2 ? 1 : -1;
    return bird(
      head[0] + row * (side === 1 ? 136 : 66) + random.between(-14, 14),
      head[1] + row * (side === 1 ? 18 : 82) + random.between(-12, 12),
      1.15 - row * 0.12,
    );
  });
  const fills = [mix(light, paper, 0.5), light, soft, mid, strong];
  return [
    `<defs>${paperShadow}${gradient('sun', [mix(sun, '#ffdf9e', 0.45), sun])}</defs>`,
    backdrop(palette),
    circle(random.between(950, 1200), 480, 190, 'url(#sun)'),
    ...fills.map((fill, index) => band(520 + index * 98, fill)),
    ...flock,
  ].join('');
};
