import { type Hair, hairs } from './hair.ts';
import { type PaletteName, palettes, type Palette } from './palettes.ts';
import { randomFrom } from './random.ts';
import {
  arch,
  circle,
  curve,
  ellipse,
  gradient,
  ground,
  group,
  lifted,
  line,
  mix,
  paperShadow,
  path,
  rect,
} from './svg.ts';

export interface Portrait {
  palette: PaletteName;
  /** From light (0) to dark (5). */
  skin: 0 | 1 | 2 | 3 | 4 | 5;
  hair: Hair;
  hairColor: 'black' | 'brown' | 'auburn' | 'blond' | 'grey' | 'white';
  wears?: readonly ('beard' | 'glasses' | 'earrings' | 'necklace' | 'moustache')[];
}

const skins = ['#f3cfb3', '#e8b590', '#d39a6c', '#b0744a', '#8a5535', '#613a26'] as const;
const hairColors = {
  black: '#211a1b',
  brown: '#4a2d20',
  auburn: '#8a3d1f',
  blond: '#d3a253',
  grey: '#8f8a86',
  white: '#e9e3da',
};

const scenes: readonly [Scene, ...Scene[]] = [sunrise, colonnade, hillside, leaves];
type Scene = (palette: Palette, name: string) => string;

/** A portrait in cut paper, as SVG. What the person looks like is given; the rest follows from the name. */
export function portraitSvg(name: string, portrait: Portrait): string {
  const palette = palettes[portrait.palette];
  const random = randomFrom(name);
  const skin = skins[portrait.skin];
  const shade = mix(skin, '#5a1f14', 0.26);
  const cloth = random.pick([palette.strong, palette.dark, palette.mid, palette.strong]);
  const scarf =
    cloth === palette.strong ? mix(palette.mid, palette.sun, 0.35) : mix(palette.strong, palette.sun, 0.2);
  const { back, front } = hairs[portrait.hair](hairColors[portrait.hairColor], scarf);
  const scene = random.pick(scenes)(palette, name);
  const person = group(
    [
      group([back], lifted),
      garment(cloth, palette, random.whole(0, 2)),
      neck(skin, shade),
      head(skin, shade, portrait),
      group([front], portrait.hair === 'shaved' ? {} : lifted),
      accessories(portrait, palette, cloth, skin),
    ],
    {
      transform: `translate(400 ${random.between(396, 410)}) rotate(${random.between(-4, 4)}) scale(${random.chance(0.5) ? '-1.02 1.02' : '1.02'}) translate(-400 -372)`,
    },
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 800"><defs>${paperShadow}${gradient('sky', palette.sky)}${gradient('sun', [mix(palette.sun, '#ffe2ae', 0.4), palette.sun])}</defs>${rect(0, 0, 800, 800, 'url(#sky)')}${scene}${person}</svg>`;
}

function neck(skin: string, shade: string): string {
  return (
    path('M350 440V560C350 610 450 610 450 560V440Z', skin) +
    path('M350 462C372 510 430 512 450 466V520C420 546 372 540 350 512Z', shade, { opacity: 0.75 })
  );
}

function head(skin: string, shade: string, { hairColor, hair, wears = [] }: Portrait): string {
  const brow = hair === 'hijab' || hair === 'wrap' ? '#2a1d1a' : mix(hairColors[hairColor], '#2a1d1a', 0.55);
  const ink = '#2a1712';
  const beard = wears.includes('beard')
    ? path(
        'M292 356C292 452 330 506 400 508C470 506 508 452 508 356C496 402 470 414 448 412C424 400 376 400 352 412C330 414 304 402 292 356Z',
        hairColors[hairColor],
      )
    : '';
  const moustache =
    wears.includes('beard') || wears.includes('moustache')
      ? path(
          'M400 408C380 396 352 402 340 424C362 428 386 426 400 418C414 426 438 428 460 424C448 402 420 396 400 408Z',
          mix(hairColors[hairColor], ink, 0.18),
        )
      : '';
  return [
    ellipse(290, 362, 20, 31, shade),
    ellipse(510, 362, 20, 31, shade),
    path(
      'M292 330C290 250 336 208 400 208C464 208 510 250 508 330C508 424 466 492 400 492C334 492 292 424 292 330Z',
      skin,
    ),
    // The far half of the face in its own shadow: one fold of the paper.
    path(
      'M404 208C466 210 510 250 508 330C508 424 466 492 404 492C430 440 386 420 404 392C430 384 430 372 412 352C398 320 412 250 404 208Z',
      shade,
      { opacity: 0.34 },
    ),
    ellipse(338, 400, 27, 17, '#c8452a', { opacity: 0.2 }),
    ellipse(462, 400, 27, 17, '#c8452a', { opacity: 0.2 }),
    beard,
    line('M322 312C336 298 358 298 374 308M426 308C442 298 464 298 478 312', brow, 8),
    line('M328 346C338 358 360 358 370 346M430 346C440 358 462 358 472 346', ink, 5.5),
    line('M404 330C398 358 386 376 390 386C396 394 408 393 414 389', mix(shade, ink, 0.35), 5),
    moustache,
    path(
      'M372 434C386 426 394 428 400 432C406 428 414 426 428 434C416 454 384 454 372 434Z',
      mix('#a8392b', skin, 0.2),
    ),
    line('M372 434C390 438 410 438 428 434', mix('#6e1f1a', skin, 0.15), 3),
  ].join('');
}

function garment(cloth: string, palette: Palette, cut: number): string {
  const shoulders = 'M90 830C92 650 190 600 330 566C352 618 448 618 470 566C610 600 708 650 710 830Z';
  const trim = mix(cloth, palette.paper, 0.55);
  const cuts = [
    line('M330 568C352 622 448 622 470 568', trim, 15),
    path('M322 566L400 690L478 566L520 580L410 770H390L280 580Z', mix(cloth, palette.light, 0.4)),
    line(
      curve([
        [118, 742],
        [260, 690],
        [400, 716],
        [540, 690],
        [682, 742],
      ]),
      trim,
      9,
    ) +
      line(
        curve([
          [110, 778],
          [260, 726],
          [400, 752],
          [540, 726],
          [690, 778],
        ]),
        palette.sun,
        9,
      ),
  ];
  return group(
    [
      path(shoulders, cloth),
      path('M400 606C448 606 462 590 470 566C610 600 708 650 710 830H400Z', '#1c1009', { opacity: 0.13 }),
      cuts[cut] ?? '',
    ],
    lifted,
  );
}

function accessories({ wears = [] }: Portrait, palette: Palette, cloth: string, skin: string): string {
  const gold = '#e3b04b';
  const drawn = {
    beard: '',
    moustache: '',
    glasses:
      circle(349, 350, 38, '#ffffff', { 'fill-opacity': 0.14, stroke: '#2a1712', 'stroke-width': 6 }) +
      circle(451, 350, 38, '#ffffff', { 'fill-opacity': 0.14, stroke: '#2a1712', 'stroke-width': 6 }) +
      line('M387 346Q400 336 413 346M311 344L292 338M489 344L508 338', '#2a1712', 6),
    earrings: [288, 512]
      .map((x) => circle(x, 404, 9, gold) + circle(x, 432, 17, 'none', { stroke: gold, 'stroke-width': 6 }))
      .join(''),
    necklace: Array.from({ length: 13 }, (_, bead) => {
      const angle = ((18 + bead * 12) * Math.PI) / 180;
      return circle(
        400 - Math.cos(angle) * 92,
        570 + Math.sin(angle) * 74,
        bead === 6 ? 17 : 11,
        bead % 2 ? gold : mix(palette.sun, cloth === palette.sun ? skin : palette.sun, 0.5),
      );
    }).join(''),
  };
  return wears.map((piece) => drawn[piece]).join('');
}

function sunrise(palette: Palette, name: string): string {
  const random = randomFrom(`${name} sunrise`);
  return (
    circle(400 + random.between(-60, 60), 330, random.between(280, 320), 'url(#sun)', { opacity: 0.92 }) +
    path(
      ground(
        [
          [-20, 640],
          [180, 590],
          [400, 640],
          [640, 580],
          [820, 630],
        ],
        800,
      ),
      palette.soft,
    )
  );
}

function colonnade(palette: Palette): string {
  const { light, soft, paper } = palette;
  return (
    path(arch(-130, 190, 250, 800), mix(soft, light, 0.3)) +
    path(arch(680, 190, 250, 800), mix(soft, light, 0.3)) +
    path(arch(110, 40, 580, 800), soft, lifted) +
    path(arch(160, 92, 480, 800), mix(light, paper, 0.45))
  );
}

function hillside(palette: Palette, name: string): string {
  const random = randomFrom(`${name} hills`);
  const { soft, mid, light, sky } = palette;
  const side = random.pick([170, 630]);
  return (
    circle(side, 180, 92, 'url(#sun)') +
    [mix(light, sky[1], 0.5), soft, mid]
      .map((fill, index) =>
        path(
          ground(
            [
              [-20, 420 + index * 110],
              [190, 360 + index * 112 + random.between(-40, 40)],
              [420, 430 + index * 105],
              [640, 370 + index * 112 + random.between(-40, 40)],
              [820, 420 + index * 110],
            ],
            800,
          ),
          fill,
        ),
      )
      .join('')
  );
}

function leaves(palette: Palette, name: string): string {
  const random = randomFrom(`${name} leaves`);
  const { soft, mid, strong, light } = palette;
  const bunch = (x: number, lean: number) =>
    Array.from({ length: 7 }, (_, index) => {
      const fill = random.pick([soft, mid, mix(mid, strong, 0.5)]);
      return group(
        [
          path('M0 0C70-70 84-230 0-370C-84-230-70-70 0 0Z', fill),
          line('M0-10V-330', mix(fill, light, 0.5), 4, { opacity: 0.6 }),
        ],
        {
          transform: `translate(${x} 760) rotate(${lean + (index - 3) * 21}) scale(${random.between(0.95, 1.5)})`,
        },
      );
    }).join('');
  return (
    circle(400, 340, 300, mix(light, palette.paper, 0.3), { opacity: 0.8 }) + bunch(110, -6) + bunch(690, 6)
  );
}
