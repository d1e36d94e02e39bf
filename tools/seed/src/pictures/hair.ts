import { curve, ellipse, circle, group, line, mix, path, type Point } from './svg.ts';

export type Hair =
  'afro' | 'bob' | 'braids' | 'bun' | 'curls' | 'hijab' | 'long' | 'shaved' | 'short' | 'swept' | 'wrap';

/** What lies behind the head, and what lies over the forehead. The head is an ellipse around (400, 345). */
interface Layers {
  back: string;
  front: string;
}

type Draw = (color: string, cloth: string) => Layers;

const cap = 'M282 372C262 214 330 176 402 176C476 176 538 216 518 372';
/** From temple to temple over the crown and back along a hairline. */
const fringe = (line: string) => `${cap}${line}Z`;
const parted = 'C512 322 484 282 430 252C404 292 338 318 304 330C294 344 288 358 282 372';
const middle = 'C510 308 462 274 400 246C340 274 292 308 282 372';
const round = 'C508 300 470 262 400 262C330 262 292 300 282 372';

const scallops = (
  rx: number,
  ry: number,
  cx: number,
  cy: number,
  count: number,
  size: number,
  color: string,
  from = 0,
  to = 360,
) =>
  Array.from({ length: count }, (_, index) => {
    const angle = ((from + ((to - from) * index) / (count - 1)) * Math.PI) / 180;
    return circle(cx + Math.cos(angle) * rx, cy + Math.sin(angle) * ry, size, color);
  }).join('');

const strand = (points: readonly Point[], color: string) =>
  line(curve(points), mix(color, '#f3c79c', 0.28), 3, { opacity: 0.55 });

export const hairs: Record<Hair, Draw> = {
  afro: (color) => ({
    back: ellipse(400, 300, 196, 186, color) + scallops(182, 172, 400, 300, 22, 40, color),
    front:
      path(fringe('C500 300 470 268 400 266C330 268 300 300 282 372'), color) +
      scallops(92, 40, 400, 300, 9, 22, color, 180, 360),
  }),
  bob: (color) => ({
    back: path(
      'M262 500C226 300 282 166 402 166C522 166 574 300 538 500C520 530 468 520 452 500H348C332 520 280 530 262 500Z',
      color,
    ),
    front:
      path(fringe(parted), color) +
      strand(
        [
          [430, 250],
          [392, 212],
          [330, 232],
          [296, 310],
        ],
        color,
      ) +
      strand(
        [
          [432, 250],
          [476, 262],
          [502, 310],
        ],
        color,
      ),
  }),
  braids: (color) => ({
    back:
      path('M270 420C240 240 310 168 402 168C494 168 560 240 530 420Z', color) +
      [-1, 1]
        .map((side) =>
          [0, 1, 2]
            .map((row) =>
              Array.from({ length: 11 }, (_, knot) =>
                ellipse(
                  400 + side * (118 + row * 24 + Math.sin(knot * 0.5) * 7),
                  392 + knot * 29,
                  14,
                  19,
                  mix(color, '#b4441f', knot % 2 ? 0.16 : 0.05),
                  {
                    transform: `rotate(${side * (knot % 2 ? 16 : -16)} ${400 + side * (118 + row * 24)} ${392 + knot * 29})`,
                  },
                ),
              ).join(''),
            )
            .join(''),
        )
        .join(''),
    front:
      path(fringe(middle), color) +
      [-3, -2, -1, 1, 2, 3]
        .map((row) =>
          strand(
            [
              [400 + row * 8, 186],
              [400 + row * 26, 222],
              [400 + row * 36, 282],
            ],
            color,
          ),
        )
        .join(''),
  }),
  bun: (color) => ({
    back:
      circle(400, 140, 74, color) +
      strand(
        [
          [346, 150],
          [390, 104],
          [446, 128],
        ],
        color,
      ) +
      strand(
        [
          [352, 170],
          [400, 134],
          [452, 158],
        ],
        color,
      ) +
      path('M276 400C258 230 320 168 402 168C484 168 544 230 524 400Z', color),
    front:
      path(fringe(middle), color) +
      strand(
        [
          [398, 246],
          [352, 232],
          [302, 300],
        ],
        color,
      ) +
      strand(
        [
          [402, 246],
          [448, 232],
          [498, 300],
        ],
        color,
      ),
  }),
  curls: (color) => ({
    back:
      path('M262 470C226 280 300 176 402 176C504 176 574 280 538 470Z', color) +
      scallops(150, 196, 400, 366, 19, 45, color, 152, 388) +
      scallops(158, 206, 400, 366, 12, 11, mix(color, '#f3c79c', 0.1), 156, 384),
    front:
      scallops(104, 96, 400, 318, 9, 37, color, 186, 354) +
      scallops(84, 84, 396, 296, 5, 9, mix(color, '#f3c79c', 0.14), 200, 340),
  }),
  hijab: (_, cloth) => ({
    back: path(
      'M238 590C216 270 288 158 402 158C516 158 584 270 562 590C640 640 628 800 600 820H200C172 800 160 640 238 590Z',
      cloth,
    ),
    front:
      path(
        'M250 560C214 260 296 164 402 164C508 164 586 260 550 560C520 640 280 640 250 560ZM400 498C470 498 500 420 502 346C502 270 458 238 400 238C342 238 298 270 298 346C300 420 330 498 400 498Z',
        cloth,
        { 'fill-rule': 'evenodd' },
      ) +
      path(
        'M262 560C330 640 480 640 552 540C590 650 470 740 330 700C280 684 250 630 262 560Z',
        mix(cloth, '#1c1917', 0.14),
      ) +
      line(
        'M284 300C300 236 344 204 402 202M270 540C340 616 470 620 540 530M300 610C370 650 440 650 500 616',
        mix(cloth, '#fffaf2', 0.35),
        4,
        { opacity: 0.6 },
      ),
  }),
  long: (color) => ({
    back:
      path(
        'M250 690C206 470 230 166 402 166C574 166 594 470 550 690C500 720 470 640 400 640C330 640 300 720 250 690Z',
        color,
      ) +
      [0, 1, 2]
        .map(
          (row) =>
            strand(
              [
                [268 + row * 16, 380],
                [258 + row * 14, 520],
                [272 + row * 16, 668],
              ],
              color,
            ) +
            strand(
              [
                [532 - row * 16, 380],
                [542 - row * 14, 520],
                [528 - row * 16, 668],
              ],
              color,
            ),
        )
        .join(''),
    front:
      path(fringe(parted), color) +
      strand(
        [
          [430, 250],
          [388, 214],
          [326, 240],
          [294, 318],
        ],
        color,
      ),
  }),
  shaved: (color) => ({
    back: '',
    front: path(fringe('C506 292 470 250 400 250C330 250 294 292 282 372'), color, { opacity: 0.42 }),
  }),
  short: (color) => ({
    back: path('M276 380C256 230 320 172 402 172C484 172 546 230 524 380Z', color),
    front: path(fringe(round), color) + scallops(96, 66, 400, 258, 8, 25, color, 190, 350),
  }),
  swept: (color) => ({
    back: path('M278 390C262 232 320 174 402 174C484 174 540 232 522 390Z', color),
    front:
      path(
        'M280 366C258 214 300 150 404 150C520 150 548 236 520 366C508 322 494 296 470 280C420 292 350 282 318 264C300 292 290 326 280 366Z',
        color,
      ) +
      strand(
        [
          [316, 258],
          [370, 210],
          [450, 206],
          [500, 262],
        ],
        color,
      ) +
      strand(
        [
          [352, 266],
          [410, 240],
          [476, 262],
        ],
        color,
      ),
  }),
  wrap: (_, cloth) => {
    const [shade, shine] = [mix(cloth, '#1c1917', 0.2), mix(cloth, '#ffe2ae', 0.35)];
    const knot = group([
      circle(336, 158, 56, shade),
      circle(468, 154, 60, shade),
      circle(402, 132, 72, cloth),
      line('M352 138C370 96 432 92 452 134M372 146C388 116 420 116 434 144', shine, 6, { opacity: 0.7 }),
    ]);
    return {
      back: knot + path('M268 350C240 200 312 142 402 142C492 142 560 200 532 350Z', cloth),
      front:
        path(
          'M272 330C258 206 326 168 402 168C478 168 542 206 528 330C500 272 460 252 400 252C340 252 300 272 272 330Z',
          cloth,
        ) +
        line('M282 300C310 226 366 200 440 196M300 276C340 226 420 214 500 250', shine, 7, { opacity: 0.7 }) +
        line('M306 262C350 232 450 232 514 290', shade, 5, { opacity: 0.6 }),
    };
  },
};
