import { budget, type Journey } from './journey.ts';
import { latency } from './queries.ts';

interface Panel {
  readonly title: string;
  readonly type: 'stat' | 'timeseries';
  readonly unit: string;
  readonly width: number;
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
  /** From which value on the panel turns yellow and red; for a stat that should be high, the other way round. */
  readonly thresholds?: readonly { readonly color: string; readonly value: number | null }[];
}

const height = 7;

/** The Grafana dashboard of all journeys: a row each, with what is left of its budget first. */
export function dashboard(journeys: readonly Journey[]): object {
  const rows = journeys.map((journey, index) => row(journey, index * (height + 1)));
  return {
    uid: 'stoa-journeys',
    title: 'Stoa: journeys',
    description: 'What users come to do, what is promised of it, and how much of the error budget is left.',
    tags: ['stoa', 'slo'],
    schemaVersion: 41,
    editable: false,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [{ name: 'source', label: 'Metrics', type: 'datasource', query: 'prometheus', hide: 0 }],
    },
    panels: rows.flat().map((panel, index) => ({ id: index + 1, ...panel })),
  };
}

function row(journey: Journey, y: number): object[] {
  const header = { type: 'row', title: journey.title, collapsed: false, gridPos: { h: 1, w: 24, x: 0, y } };
  let x = 0;
  const placed = panels(journey).map((panel) => {
    const at = { h: height, w: panel.width, x, y: y + 1 };
    x += panel.width;
    return drawn(panel, journey, at);
  });
  return [header, ...placed];
}

function panels(journey: Journey): Panel[] {
  const is = `{journey="${journey.name}"}`;
  const target = (expr: string, legendFormat: string) => ({ expr, legendFormat });
  return [
    {
      title: 'Budget left, three days',
      type: 'stat',
      unit: 'percentunit',
      width: 4,
      targets: [target(`1 - journey:errors:ratio_rate3d${is} / ${budget(journey)}`, 'left')],
      thresholds: [
        { color: 'red', value: null },
        { color: 'yellow', value: 0 },
        { color: 'green', value: 0.5 },
      ],
    },
    {
      title: 'Share of broken promises',
      type: 'timeseries',
      unit: 'percentunit',
      width: 8,
      targets: ['5m', '1h', '6h'].map((window) => target(`journey:errors:ratio_rate${window}${is}`, window)),
      thresholds: [
        { color: 'transparent', value: null },
        { color: 'red', value: budget(journey) },
      ],
    },
    {
      title: `Answer times, promised ${journey.seconds} s`,
      type: 'timeseries',
      unit: 's',
      width: 8,
      targets: [0.5, 0.95, 0.99].map((share) => target(latency(journey, share, '5m'), `p${share * 100}`)),
      thresholds: [
        { color: 'transparent', value: null },
        { color: 'red', value: journey.seconds },
      ],
    },
    {
      title: 'Requests',
      type: 'timeseries',
      unit: 'reqps',
      width: 4,
      targets: [target(`journey:requests:rate5m${is}`, 'requests')],
    },
  ];
}

function drawn(panel: Panel, { promise }: Journey, gridPos: object): object {
  const { title, type, unit, targets, thresholds } = panel;
  return {
    title,
    type,
    description: promise,
    gridPos,
    datasource: { type: 'prometheus', uid: '${source}' },
    targets: targets.map((target, index) => ({ refId: String.fromCharCode(65 + index), ...target })),
    fieldConfig: {
      defaults: {
        unit,
        ...(type === 'timeseries' && { min: 0, custom: { thresholdsStyle: { mode: 'line' } } }),
        ...(thresholds && { thresholds: { mode: 'absolute', steps: thresholds } }),
      },
      overrides: [],
    },
    options:
      type === 'stat'
        ? { colorMode: 'background', reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false } }
        : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
  };
}
