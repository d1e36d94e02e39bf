/** The colours of one picture, from the paper it lies on to its darkest shape. */
export interface Palette {
  paper: string;
  /** Top and bottom of the background. */
  sky: readonly [string, string];
  sun: string;
  light: string;
  soft: string;
  mid: string;
  strong: string;
  dark: string;
}

export type PaletteName = 'terracotta' | 'ochre' | 'teal' | 'plum' | 'olive' | 'dusk' | 'rose' | 'night';

/** The site's paper, ink and terracotta with the pigments around them. */
export const palettes: Record<PaletteName, Palette> = {
  terracotta: {
    paper: '#faf7f2',
    sky: ['#f6e7d6', '#eec7a6'],
    sun: '#d8613a',
    light: '#f3ddc3',
    soft: '#e0a784',
    mid: '#c9713f',
    strong: '#b4441f',
    dark: '#4a1f1a',
  },
  ochre: {
    paper: '#fbf6ea',
    sky: ['#f8ebcb', '#efcf8f'],
    sun: '#c65a33',
    light: '#f7e3b5',
    soft: '#e3b85c',
    mid: '#c98f2c',
    strong: '#2f5d62',
    dark: '#2b2a26',
  },
  teal: {
    paper: '#f6f5ee',
    sky: ['#e5ebe2', '#b9cfc6'],
    sun: '#e08a5b',
    light: '#dfe6da',
    soft: '#86a5a1',
    mid: '#4d8082',
    strong: '#2f5d62',
    dark: '#17353a',
  },
  plum: {
    paper: '#faf4f1',
    sky: ['#f3dfd9', '#d9aeb0'],
    sun: '#e3a24f',
    light: '#eed3cd',
    soft: '#c490a0',
    mid: '#96607a',
    strong: '#6b3a52',
    dark: '#331a2b',
  },
  olive: {
    paper: '#f8f5ea',
    sky: ['#f1ead2', '#d7d1a4'],
    sun: '#d0703c',
    light: '#e9e1c1',
    soft: '#b5b07a',
    mid: '#888b58',
    strong: '#5a6140',
    dark: '#2a3023',
  },
  dusk: {
    paper: '#fbf3ea',
    sky: ['#6f4d66', '#f0a878'],
    sun: '#fbe0b0',
    light: '#f3c79c',
    soft: '#d9866a',
    mid: '#a65660',
    strong: '#5e3450',
    dark: '#2a1c33',
  },
  rose: {
    paper: '#fcf5f0',
    sky: ['#fae6dc', '#f2bfa9'],
    sun: '#b4441f',
    light: '#f8dccb',
    soft: '#e79f86',
    mid: '#cf6f5e',
    strong: '#2f5d62',
    dark: '#3c1f24',
  },
  night: {
    paper: '#f4efe4',
    sky: ['#16242e', '#3f6468'],
    sun: '#f1d9a4',
    light: '#d9b88b',
    soft: '#7f9a94',
    mid: '#3f6a70',
    strong: '#1f434b',
    dark: '#0e1a22',
  },
};

export const paletteNames = Object.keys(palettes) as [PaletteName, ...PaletteName[]];
