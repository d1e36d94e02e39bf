import { backdrop, type Composition, sheet } from '../composition.ts';
import {
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

/** A record half out of its sleeve. */
export const record: Composition = (palette, random) => {
  const { sun, light, soft, mid, strong, dark, paper } = palette;
  const [x, y] = [900, 500];
  const grooves = Array.from({ length: 17 }, (_, index) =>
    circle(x, y, 372 - index * 13.5, 'none', {
      stroke: mix(dark, paper, index % 4 === 0 ? 0.3 : 0.14),
      'stroke-width': index % 4 === 0 ? 2.4 : 1.4,
    }),
  );
  const shine = [-24, 156].map((angle) =>
    path(`M${x} ${y}L${x + 386} ${y - 60}A390 390 0 0 1 ${x + 386} ${y + 60}Z`, paper, {
      opacity: 0.12,
      transform: `rotate(${angle + random.between(-18, 18)} ${x} ${y})`,
    }),
  );
  const picture = [
    rect(210, 110, 780, 780, light),
    circle(600, random.between(430, 540), 230, sun),
    path(
      ground(
        [
          [210, 640],
          [380, 570],
          [600, 680],
          [800, 580],
          [990, 640],
        ],
        890,
      ),
      mid,
    ),
    path(
      ground(
        [
          [210, 750],
          [420, 700],
          [640, 790],
          [990, 690],
        ],
        890,
      ),
      strong,
    ),
    ...[0, 1, 2].map((row) =>
      line(`M270 ${190 + row * 26}H${700 - row * 120 + random.between(-40, 40)}`, dark, 9, {
        opacity: row ? 0.35 : 0.8,
      }),
    ),
  ];
  return [
    `<defs>${paperShadow}<clipPath id="sleeve"><rect x="210" y="110" width="780" height="780" rx="6"/></clipPath></defs>`,
    backdrop(palette, 40),
    path('M0 1000L620 0H1500V1000Z', soft, { opacity: 0.35 }),
    group(
      [
        group(
          [
            circle(x, y, 390, dark),
            ...grooves,
            ...shine,
            circle(x, y, 126, sun),
            circle(x, y, 126, 'none', { stroke: paper, 'stroke-width': 3, opacity: 0.5 }),
            circle(x, y, 13, paper),
          ],
          { transform: 'translate(140 0)', ...lifted },
        ),
        group([
          rect(210, 110, 780, 780, light, { rx: 6, ...lifted }),
          group(picture, { 'clip-path': 'url(#sleeve)' }),
        ]),
      ],
      { transform: `translate(-20 0) rotate(${random.between(-7, 4)} 750 500)` },
    ),
  ].join('');
};

/** Sound drawn as a range of hills. */
export const resonance: Composition = (palette, random) => {
  const { sun, soft, mid, strong, dark, paper } = palette;
  const night = random.chance(0.6);
  const [under, over] = night ? [dark, mix(strong, dark, 0.45)] : [paper, palette.light];
  const rows = 21;
  const inks = night ? [sun, soft, paper] : [strong, mid, sun];
  const peaks = Array.from({ length: 3 }, () => ({
    x: random.between(380, 1120),
    width: random.between(70, 190),
  }));
  const waves = Array.from({ length: rows }, (_, row) => {
    const y = 250 + row * 31;
    const points = Array.from({ length: 61 }, (_, step): Point => {
      const x = 150 + step * 20;
      const envelope = peaks.reduce(
        (sum, peak) => sum + Math.exp(-(((x - peak.x + (row - rows / 2) * 6) / peak.width) ** 2)),
        0,
      );
      return [x, y - envelope * random.between(28, 106) - random.between(0, 5)];
    });
    const share = row / (rows - 1);
    const ink =
      share < 0.5
        ? mix(inks[0] ?? sun, inks[1] ?? soft, share * 2)
        : mix(inks[1] ?? soft, inks[2] ?? paper, share * 2 - 1);
    return path(ground(points, y + 60), 'url(#field)') + line(curve(points), ink, 4);
  });
  return [
    `<defs>${gradient('field', [mix(under, over, 0.5), under])}${gradient('sky', [over, under])}</defs>`,
    rect(0, 0, sheet.width, sheet.height, under),
    ...waves,
    rect(0, 905, sheet.width, 95, under),
  ].join('');
};

/** Strings across a sound hole. */
export const strings: Composition = (palette, random) => {
  const { sun, light, soft, mid, strong, dark, paper } = palette;
  const wood = [mix(sun, soft, 0.5), mid, mix(mid, dark, 0.35)];
  const [x, y] = [random.between(560, 700), 500];
  const grain = Array.from({ length: 26 }, (_, index) => {
    const down = index * 42 + random.between(-12, 12);
    const points = Array.from({ length: 7 }, (_, step): Point => [
      step * 260 - 30,
      down + random.between(-13, 13),
    ]);
    return line(curve(points), dark, random.between(1.5, 4), { opacity: 0.1 });
  });
  const beads = Array.from({ length: 44 }, (_, index) => {
    const angle = (index / 44) * Math.PI * 2;
    return circle(
      x + Math.cos(angle) * 318,
      y + Math.sin(angle) * 318,
      index % 2 ? 11 : 7,
      index % 2 ? light : sun === mid ? strong : paper,
    );
  });
  const star = Array.from({ length: 16 }, (_, index) =>
    path('M0 0C30-70 30-140 0-214C-30-140-30-70 0 0Z', 'none', {
      stroke: mix(light, sun, 0.4),
      'stroke-width': 4,
      opacity: 0.8,
      transform: `translate(${x} ${y}) rotate(${index * 22.5})`,
    }),
  );
  const courses = Array.from({ length: 6 }, (_, index) => {
    const down = 342 + index * 63;
    return (
      line(`M-10 ${down + 7}H1510`, dark, 6, { opacity: 0.35 }) +
      line(`M-10 ${down}H1510`, mix(paper, light, 0.4), 7 - index * 0.8)
    );
  });
  return [
    `<defs>${paperShadow}${gradient('wood', wood, 35)}</defs>`,
    rect(0, 0, sheet.width, sheet.height, 'url(#wood)'),
    ...grain,
    path('M1180 -20C1290 240 1290 760 1180 1020H1520V-20Z', strong, { ...lifted }),
    circle(x, y, 350, mix(dark, mid, 0.3)),
    ...beads,
    circle(x, y, 286, mix(light, sun, 0.25)),
    circle(x, y, 270, dark),
    ...star,
    circle(x, y, 62, mix(light, sun, 0.4)),
    circle(x, y, 46, dark),
    ...courses,
  ].join('');
};
