/** The lowest possible contrast of a text, and the minimum that WCAG 2.2 (1.4.3) requires for its size. */
export interface Contrast {
  readonly ratio: number;
  readonly required: number;
}

/**
 * Computes the lowest contrast of an element's text on all backgrounds behind it; runs in the page. Each stop of a gradient
 * counts. A translucent sticky element may be above anything, so black and white count. Elements in front do not count,
 * because visitors can scroll. In a file field only the button has text.
 */
export function worstContrast(element: Element): Contrast {
  type Color = readonly [red: number, green: number, blue: number, alpha: number];
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const colorOf = (css: string): Color => {
    if (!canvas) throw new Error('No canvas.');
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = css;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = ([red, green, blue, alpha]: Color, below: Color): Color => {
    const mixed = (top: number, bottom: number) => top * alpha + bottom * (1 - alpha);
    return [mixed(red, below[0]), mixed(green, below[1]), mixed(blue, below[2]), 1];
  };
  const luminanceOf = ([red, green, blue]: Color) => {
    const linear = (value: number) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  };
  /**
   * All background colours that a style may show. The gradient of a select field is its arrow beside the text, so it does not
   * count.
   */
  const colorsOf = (style: CSSStyleDeclaration, isSelect: boolean): Color[] => {
    const stops = isSelect ? null : style.backgroundImage.match(/(?:rgba?|oklab|oklch|color)\([^()]*\)/g);
    const ground = colorOf(style.backgroundColor);
    return stops
      ? stops.map((stop) => (ground[3] === 1 ? over(colorOf(stop), ground) : colorOf(stop)))
      : [ground];
  };

  const isFile = element.matches('input[type=file]');
  const text = getComputedStyle(element, isFile ? '::file-selector-button' : undefined);
  const layers: Color[][] = isFile ? [colorsOf(text, false)] : [];
  const isOpaque = () => layers.at(-1)?.every(([, , , alpha]) => alpha === 1) ?? false;
  const unknown: Color[] = [colorOf('black'), colorOf('white')];
  let bottom: Color[] = [colorOf('white')];
  for (let node: Element | null = element; node && !isOpaque(); node = node.parentElement) {
    const style = getComputedStyle(node);
    layers.push(colorsOf(style, node.matches('select')));
    if (!isOpaque() && ['fixed', 'sticky'].includes(style.position)) {
      bottom = unknown;
      break;
    }
  }
  const grounds = layers.reduceRight(
    (below, layer) => below.flatMap((ground) => layer.map((color) => over(color, ground))),
    bottom,
  );
  const ratios = grounds.map((ground) => {
    const [dark = 0, light = 0] = [
      luminanceOf(over(colorOf(text.color), ground)),
      luminanceOf(ground),
    ].toSorted((one, other) => one - other);
    return (light + 0.05) / (dark + 0.05);
  });
  const size = Number.parseFloat(text.fontSize);
  const isLarge = size >= 24 || (size >= 18.66 && Number(text.fontWeight) >= 700);
  return { ratio: Math.min(...ratios), required: isLarge ? 3 : 4.5 };
}
