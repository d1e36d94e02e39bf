import { type Composition, sheet } from '../composition.ts';
import type { Palette } from '../palettes.ts';
import {
  arch,
  circle,
  curve,
  group,
  lifted,
  line,
  mix,
  paperShadow,
  path,
  type Point,
  rect,
} from '../svg.ts';

const colours = ({ soft, mid, strong, dark, sun }: Palette) => [strong, sun, mid, soft, dark] as const;

/** Broad strokes of a dry brush. */
export const brushwork: Composition = (palette, random) => {
  const fills = colours(palette);
  const stroke = (index: number) => {
    const y = 190 + index * 158 + random.between(-25, 25);
    const [from, to] = [random.between(90, 330), random.between(1130, 1420)];
    const [bow, lean] = [random.between(-70, 70), random.between(-60, 60)];
    const fill = fills[index % fills.length] ?? fills[0];
    const bristles = 44;
    return Array.from({ length: bristles }, (_, bristle) => {
      const across = (bristle / bristles - 0.5) * 168;
      const ragged = 46 * Math.cos((bristle / bristles - 0.5) * Math.PI);
      const points: Point[] = [
        [from - ragged + random.between(-26, 26), y + across],
        [from + (to - from) * 0.35, y + across + bow],
        [from + (to - from) * 0.7, y + across + bow * 0.4 + lean * 0.5],
        [to + ragged + random.between(-120, 30), y + across * 0.94 + lean],
      ];
      const shade = random.between(0, 0.26);
      return line(
        curve(points),
        mix(fill, random.chance(0.5) ? palette.paper : palette.dark, shade),
        random.between(3, 6.4),
      );
    }).join('');
  };
  const splashes = Array.from({ length: 16 }, () =>
    circle(random.between(80, 1420), random.between(70, 930), random.between(3, 13), random.pick(fills)),
  );
  return [
    rect(0, 0, sheet.width, sheet.height, palette.paper),
    rect(0, 0, sheet.width, sheet.height, palette.light, { opacity: 0.4 }),
    ...[0, 1, 2, 3, 4].map(stroke),
    ...splashes,
  ].join('');
};

/** Leaves cut from painted paper. */
export const cutOuts: Composition = (palette, random) => {
  const leaves = [palette.strong, palette.dark, palette.mid];
  const [columns, rows] = [3, 2];
  const [width, height] = [sheet.width / columns, sheet.height / rows];
  const shift = random.whole(0, 4);
  const grounds = [
    palette.light,
    palette.soft,
    mix(palette.paper, palette.light, 0.5),
    palette.strong,
    palette.sun,
    palette.mid,
  ];
  const frond = () => {
    const lobes = random.whole(4, 5);
    const edge = (side: 1 | -1) =>
      Array.from({ length: lobes * 2 }, (_, index): Point => {
        const reach = index % 2 === 0 ? random.between(104, 150) * (1 - index / (lobes * 3.2)) : 26;
        const down = 190 - (index / (lobes * 2)) * 370;
        return [side * reach, down - (index % 2 === 0 ? 30 : 0)];
      });
    const points: Point[] = [[0, 215], ...edge(1), [0, -212], ...edge(-1).reverse()];
    return curve(points, true);
  };
  const tiles = Array.from({ length: columns * rows }, (_, index) => {
    const [x, y] = [(index % columns) * width, Math.floor(index / columns) * height];
    const fill = grounds[(index + shift) % grounds.length] ?? palette.light;
    const pale = fill !== palette.strong && fill !== palette.mid && fill !== palette.sun;
    const leaf = pale
      ? (leaves[(index + shift) % leaves.length] ?? palette.dark)
      : mix(palette.paper, palette.light, 0.3);
    return (
      rect(x, y, width + 1, height + 1, fill) +
      group([path(frond(), leaf, lifted)], {
        transform: `translate(${x + width / 2} ${y + height / 2}) rotate(${random.between(-38, 38)})`,
      })
    );
  });
  return [`<defs>${paperShadow}</defs>`, ...tiles].join('');
};

/** Quarter circles, arches and dots on a grid. */
export const tiles: Composition = (palette, random) => {
  const size = 250;
  const tile = (index: number) => {
    const [x, y] = [(index % 6) * size, Math.floor(index / 6) * size];
    const [under, over, third] = pickThree();
    const turn = random.whole(0, 3) * 90;
    const shapes = [
      () =>
        path(`M0 0H${size}A${size} ${size} 0 0 1 0 ${size}Z`, over) +
        path(`M0 0H${size / 2}A${size / 2} ${size / 2} 0 0 1 0 ${size / 2}Z`, third),
      () =>
        path(`M0 0A${size / 2} ${size / 2} 0 0 0 ${size} 0Z`, over) +
        path(`M0 ${size / 2}A${size / 2} ${size / 2} 0 0 0 ${size} ${size / 2}Z`, third),
      () => circle(size / 2, size / 2, size * 0.4, over) + circle(size / 2, size / 2, size * 0.17, third),
      () => path(arch(25, 25, 200, size), over) + path(arch(75, 95, 100, size), third),
      () => path(`M0 0L${size} ${size}H0Z`, over),
      () => [1, 2, 3, 4].map((bar) => rect(0, bar * 50 - 12, size, 24, over)).join(''),
      () => path(`M0 0A${size} ${size} 0 0 1 ${size} ${size}A${size} ${size} 0 0 1 0 0Z`, over),
    ] as const;
    const shape = random.pick(shapes)();
    return (
      rect(x, y, size + 1, size + 1, under) +
      group([shape], { transform: `translate(${x} ${y}) rotate(${turn} ${size / 2} ${size / 2})` })
    );
  };
  const pickThree = () => {
    const bag = [
      palette.paper,
      palette.light,
      palette.soft,
      palette.mid,
      palette.strong,
      palette.sun,
      palette.dark,
    ];
    const take = () => bag.splice(random.whole(0, bag.length - 1), 1)[0] ?? palette.paper;
    return [take(), take(), take()] as const;
  };
  return Array.from({ length: 24 }, (_, index) => tile(index)).join('');
};
