export interface Target {
  readonly expr: string;
  readonly legendFormat: string;
}

export interface Panel {
  readonly title: string;
  readonly type: 'stat' | 'timeseries';
  readonly unit: string;
  readonly width: number;
  readonly description: string;
  readonly targets: readonly Target[];
  /** The values at which the panel turns yellow and red; reversed for a stat that should be high. */
  readonly thresholds?: readonly { readonly color: string; readonly value: number | null }[];
}

export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

const height = 7;
const fullWidth = 24;

export const target = (expr: string, legendFormat: string): Target => ({ expr, legendFormat });

/** A Grafana dashboard of these rows, read-only in the web interface. */
export function dashboardOf(
  { uid, title, description, tags }: Record<'uid' | 'title' | 'description', string> & { tags: string[] },
  rows: readonly Row[],
): object {
  let y = 0;
  const panels = rows.flatMap((row) => {
    const header = {
      type: 'row',
      title: row.title,
      collapsed: false,
      gridPos: { h: 1, w: fullWidth, x: 0, y },
    };
    y += 1;
    let x = 0;
    const placed = row.panels.map((panel) => {
      if (x + panel.width > fullWidth) {
        x = 0;
        y += height;
      }
      const at = { h: height, w: panel.width, x, y };
      x += panel.width;
      return drawn(panel, at);
    });
    y += height;
    return [header, ...placed];
  });
  return {
    uid,
    title,
    description,
    tags,
    schemaVersion: 41,
    editable: false,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [{ name: 'source', label: 'Metrics', type: 'datasource', query: 'prometheus', hide: 0 }],
    },
    panels: panels.map((panel, index) => ({ id: index + 1, ...panel })),
  };
}

function drawn({ title, type, unit, targets, thresholds, description }: Panel, gridPos: object): object {
  return {
    title,
    type,
    description,
    gridPos,
    datasource: { type: 'prometheus', uid: '${source}' },
    targets: targets.map((one, index) => ({ refId: String.fromCharCode(65 + index), ...one })),
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
