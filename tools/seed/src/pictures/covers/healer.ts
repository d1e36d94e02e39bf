import { backdrop, type Composition, sheet } from '../composition.ts';
import {
  circle,
  curve,
  ellipse,
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

/** Hills in morning mist. */
export const hills: Composition = (palette, random) => {
  const { sun, light, soft, mid, strong, dark, paper, sky } = palette;
  const fills = [mix(light, sky[1], 0.4), mix(soft, light, 0.35), soft, mid, strong, dark];
  const layers = fills.map((fill, index) => {
    const height = 70 + index * 10;
    const base = 430 + index * 98;
    const phase = random.between(0, 6);
    const points = Array.from({ length: 9 }, (_, step): Point => [
      step * 200 - 50,
      base - Math.sin(step * 0.9 + phase) * height - random.between(0, 34),
    ]);
    const id = `hill${index}`;
    return (
      `<defs>${gradient(id, [fill, mix(fill, index < 4 ? paper : dark, index < 4 ? 0.42 : 0.3)])}</defs>` +
      path(ground(points, sheet.height), `url(#${id})`)
    );
  });
  const x = random.between(420, 1080);
  const trees = Array.from({ length: 6 }, (_, index) => {
    const at = (random.chance(0.5) ? 120 : 1120) + index * 44;
    const height = random.between(90, 170);
    return path(
      `M${at} ${880 - height}C${at + 34} ${880 - height * 0.5} ${at + 26} 900 ${at} 930C${at - 26} 900 ${at - 34} ${880 - height * 0.5} ${at} ${880 - height}Z`,
      dark,
    );
  });
  return [
    `<defs>${glow('glow', sun)}</defs>`,
    backdrop(palette),
    circle(x, 350, 330, 'url(#glow)', { opacity: 0.55 }),
    circle(x, 350, 128, sun),
    ...layers.slice(0, 5),
    ...trees,
    ...layers.slice(5),
  ].join('');
};

/** Stones in balance above rings of water. */
export const stones: Composition = (palette, random) => {
  const { sun, light, soft, mid, strong, dark, paper, sky } = palette;
  const fills = [strong, soft, mid, light, sun] as const;
  let top = 760;
  const pile = fills.map((fill, index) => {
    const [rx, ry] = [230 - index * 41 + random.between(-12, 12), 78 - index * 10 + random.between(-4, 4)];
    const x = 750 + random.between(-20, 20);
    top -= ry * 1.82;
    const y = top + ry;
    const edge = Array.from({ length: 10 }, (_, step): Point => {
      const angle = (step / 10) * Math.PI * 2;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      return [x + cos * rx * random.between(0.96, 1.04), y + sin * ry * random.between(0.96, 1.04)];
    });
    const id = `stone${index}`;
    return (
      `<defs>${gradient(id, [mix(fill, paper, 0.25), fill, mix(fill, dark, 0.38)], 70)}</defs>` +
      path(curve(edge, true), `url(#${id})`, lifted)
    );
  });
  const rings = [560, 450, 345, 250].map((rx, index) =>
    ellipse(750, 800, rx, rx * 0.2, 'none', {
      stroke: paper,
      'stroke-width': 6,
      opacity: 0.18 + index * 0.1,
    }),
  );
  return [
    `<defs>${paperShadow}${gradient('water', [mix(sky[1], mid, 0.35), mix(strong, mid, 0.4)])}</defs>`,
    backdrop(palette),
    circle(750, 420, 330, paper, { opacity: 0.45 }),
    circle(750, 420, 250, paper, { opacity: 0.5 }),
    rect(0, 640, sheet.width, 360, 'url(#water)'),
    ...rings,
    ellipse(750, 806, 236, 40, dark, { opacity: 0.35 }),
    ...pile,
  ].join('');
};

/** A flower of many clear petals. */
export const blossom: Composition = (palette, random) => {
  const { sun, light, soft, mid, strong, dark, paper } = palette;
  const [x, y] = [750 + random.between(-40, 40), 800];
  const rings = [
    { count: 11, length: 640, width: 150, fill: mix(soft, light, 0.45) },
    { count: 9, length: 540, width: 150, fill: soft },
    { count: 7, length: 430, width: 140, fill: mid },
    { count: 5, length: 320, width: 120, fill: strong },
    { count: 3, length: 210, width: 84, fill: sun },
  ];
  const petals = rings.map(({ count, length, width, fill }, ring) => {
    const spread = 176 - ring * 18;
    const turned = Array.from({ length: count }, (_, index) => {
      const angle = (index / (count - 1) - 0.5) * spread;
      const id = `petal${ring}`;
      return group(
        [
          path(
            `M0 0C${-width} ${-length * 0.35} ${-width * 0.7} ${-length * 0.8} 0 ${-length}C${width * 0.7} ${-length * 0.8} ${width} ${-length * 0.35} 0 0Z`,
            `url(#${id})`,
            { opacity: 0.94 },
          ),
          line(`M0-40V${-length * 0.72}`, paper, 3, { opacity: 0.35 }),
        ],
        { transform: `rotate(${angle})` },
      );
    });
    return (
      `<defs>${gradient(`petal${ring}`, [mix(fill, paper, 0.4), fill, mix(fill, dark, 0.25)])}</defs>` +
      group(turned, lifted)
    );
  });
  const water = Array.from({ length: 7 }, (_, index) => {
    const width = 1500 - index * 150;
    return rect(
      750 - width / 2 + random.between(-50, 50),
      842 + index * 22,
      width * random.between(0.5, 0.9),
      6,
      paper,
      { rx: 3, opacity: 0.3 },
    );
  });
  return [
    `<defs>${paperShadow}</defs>`,
    backdrop(palette),
    circle(x, 520, 430, paper, { opacity: 0.35 }),
    group(petals, { transform: `translate(${x} ${y})` }),
    rect(0, 800, sheet.width, 200, mix(strong, dark, 0.35)),
    path(`M${x - 330} 800Q${x} 900 ${x + 330} 800Z`, dark, { opacity: 0.45 }),
    ...water,
  ].join('');
};
