import { budget, type Journey } from './journey.ts';
import { dashboardOf, type Panel, target } from './panel.ts';
import { latency } from './queries.ts';

/** The Grafana dashboard of all journeys, with a row for each. The remaining budget is the first panel. */
export function dashboard(journeys: readonly Journey[]): object {
  const about = {
    uid: 'stoa-journeys',
    title: 'Stoa: journeys',
    description: 'User journeys, their objectives, and the remaining error budget.',
    tags: ['stoa', 'slo'],
  };
  return dashboardOf(
    about,
    journeys.map((journey) => ({ title: journey.title, panels: panels(journey) })),
  );
}

function panels(journey: Journey): Panel[] {
  const is = `{journey="${journey.name}"}`;
  const all: Omit<Panel, 'description'>[] = [
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
      title: 'Error ratio',
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
  return all.map((panel) => ({ ...panel, description: journey.promise }));
}
