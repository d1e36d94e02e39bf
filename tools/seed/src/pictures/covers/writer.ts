import { backdrop, type Composition, sheet } from '../composition.ts';
import type { Random } from '../random.ts';
import { arch, circle, gradient, ground, group, lifted, line, mix, paperShadow, path, rect } from '../svg.ts';

/** Lines of writing, the last one of each paragraph short. */
function writing(x: number, y: number, width: number, rows: number, ink: string, random: Random): string[] {
  return Array.from({ length: rows }, (_, row) => {
    const last = row % 5 === 4;
    const length = last ? width * random.between(0.3, 0.6) : width * random.between(0.9, 1);
    const down = y + row * 34 + Math.floor(row / 5) * 22;
    return rect(x, down, length, 9, ink, { rx: 4.5, opacity: 0.38 });
  });
}

/** Loose sheets on a table, a pen across them. */
export const manuscript: Composition = (palette, random) => {
  const { paper, light, soft, strong, dark, sun } = palette;
  const turn = random.between(-9, -3);
  const sheets = [
    { fill: soft, by: turn - 9, dx: -60 },
    { fill: mix(light, paper, 0.4), by: turn + 11, dx: 40 },
    { fill: paper, by: turn, dx: 0 },
  ].map(({ fill, by, dx }) =>
    group([rect(470 + dx, 110, 620, 860, fill, { rx: 6, ...lifted })], {
      transform: `rotate(${by} 780 560)`,
    }),
  );
  const text = group(
    [
      rect(550, 200, 250, 20, strong, { rx: 4 }),
      rect(550, 238, 140, 10, dark, { rx: 5, opacity: 0.45 }),
      ...writing(550, 310, 460, 16, dark, random),
    ],
    { transform: `rotate(${turn} 780 560)` },
  );
  const pen = group(
    [
      rect(-260, -15, 430, 30, strong, { rx: 14 }),
      rect(-260, -15, 430, 12, mix(strong, '#ffffff', 0.25), { rx: 6 }),
      rect(-276, -15, 62, 30, dark, { rx: 14 }),
      path('M170-15 L246-5 L262 0 L246 5 L170 15Z', mix(sun, '#ffe2b0', 0.45)),
      line('M196 0H262', dark, 2),
    ],
    {
      transform: `translate(${random.between(1120, 1180)} 700) rotate(${random.between(118, 136)})`,
      ...lifted,
    },
  );
  return [
    `<defs>${paperShadow}</defs>`,
    backdrop(palette, 60),
    circle(random.between(180, 300), random.between(250, 760), random.between(150, 230), sun, {
      opacity: 0.92,
    }),
    path(arch(1160, 240, 300, 1000), strong, { opacity: 0.16 }),
    ...sheets,
    text,
    pen,
  ].join('');
};

/** An open book whose leaves rise like hills before the sun. */
export const openBook: Composition = (palette, random) => {
  const { paper, light, soft, mid, strong, dark, sun } = palette;
  const half = (side: 1 | -1) =>
    Array.from({ length: 9 }, (_, leaf) => {
      const lift = 320 - leaf * 27 + random.between(-6, 6);
      const reach = 520 + leaf * 13;
      const fill = leaf === 8 ? paper : mix(leaf % 2 ? light : soft, paper, leaf / 12);
      const d = `M750 860C${750 + side * 130} ${860 - lift * 1.35} ${750 + side * 330} ${850 - lift * 1.25} ${750 + side * reach} ${810 - lift * 0.72}L${750 + side * reach} ${880 - lift * 0.25}C${750 + side * 340} ${900 - lift * 0.5} ${750 + side * 120} ${905 - lift * 0.3} 750 910Z`;
      return path(d, fill, leaf % 4 === 0 ? lifted : {});
    });
  const rays = Array.from({ length: 13 }, (_, index) => {
    const angle = ((index - 6) * 14 * Math.PI) / 180;
    const [x, y] = [Math.sin(angle), -Math.cos(angle)];
    return line(
      `M${750 + x * 300} ${470 + y * 300}L${750 + x * (index % 2 ? 350 : 390)} ${470 + y * (index % 2 ? 350 : 390)}`,
      strong,
      7,
      { opacity: 0.55 },
    );
  });
  return [
    `<defs>${paperShadow}${gradient('sun', [mix(sun, '#ffe0a8', 0.45), sun])}</defs>`,
    backdrop(palette),
    ...rays,
    circle(750, 470, 236, 'url(#sun)'),
    rect(0, 850, sheet.width, 150, strong),
    rect(0, 850, sheet.width, 10, mid),
    path('M180 842H1320L1346 902H154Z', dark, lifted),
    ...half(-1),
    ...half(1),
    line('M750 858V908', mix(dark, soft, 0.3), 5),
  ].join('');
};

/** Books on the sill of an arched window. */
export const windowSill: Composition = (palette, random) => {
  const { paper, light, soft, mid, strong, dark, sun } = palette;
  const covers = [strong, soft, mid, sun, dark, light] as const;
  const shift = random.whole(0, 5);
  let top = 850;
  const stack = Array.from({ length: random.whole(4, 5) }, (_, index) => {
    const height = random.between(50, 74);
    const width = random.between(330, 450);
    const x = 300 - width / 2 + random.between(-26, 26);
    top -= height;
    const fill = covers[(index + shift) % covers.length] ?? strong;
    return group([
      rect(x, top, width, height, fill, { rx: 7 }),
      rect(x + 34, top, 10, height, mix(fill, paper, 0.5)),
      rect(x + 52, top, 4, height, mix(fill, paper, 0.5)),
      rect(x + 120, top + height / 2 - 4, width * 0.42, 8, mix(fill, paper, 0.55), { rx: 4 }),
      rect(x, top + height - 7, width, 7, dark, { rx: 3, opacity: 0.22 }),
    ]);
  });
  const hill = (y: number, fill: string) =>
    path(
      ground(
        [
          [520, y],
          [680, y - random.between(40, 90)],
          [860, y + 10],
          [1040, y - random.between(50, 100)],
          [1260, y - 10],
        ],
        850,
      ),
      fill,
    );
  const pane = arch(560, 100, 640, 850);
  return [
    `<defs>${paperShadow}${gradient('view', [palette.sky[0], mix(sun, palette.sky[1], 0.62)])}<clipPath id="pane"><path d="${pane}"/></clipPath></defs>`,
    rect(0, 0, sheet.width, sheet.height, mix(soft, paper, 0.42)),
    path('M560 850L130 1000H960L1200 850Z', paper, { opacity: 0.3 }),
    path(arch(524, 64, 712, 850), mix(paper, soft, 0.15), lifted),
    group(
      [
        rect(500, 60, 760, 800, 'url(#view)'),
        circle(random.between(740, 1010), 430, 120, sun),
        hill(640, soft),
        hill(710, mid),
        hill(790, strong),
      ],
      { 'clip-path': 'url(#pane)' },
    ),
    line('M880 104V850M560 470H1200', mix(paper, soft, 0.15), 18),
    rect(0, 850, sheet.width, 150, mix(strong, dark, 0.25)),
    rect(0, 850, sheet.width, 22, mix(paper, soft, 0.35)),
    group(stack, lifted),
    group(
      [
        path('M1290 740h130v60a50 50 0 0 1-50 50h-30a50 50 0 0 1-50-50Z', paper),
        line('M1420 764h14a24 24 0 0 1 0 50h-16', paper, 13),
        line('M1330 710c-16-26 18-36 2-64M1378 710c-16-26 18-36 2-64', paper, 6, { opacity: 0.7 }),
      ],
      lifted,
    ),
  ].join('');
};
