import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { formatUtc } from './format.ts';
import classes from './time-chart.module.css';

interface Line {
  readonly label: string;
  /** One for each instant; null where there is none. */
  readonly values: readonly (number | null)[];
  /** 1..4, of the chart's colours. */
  readonly colour?: 1 | 2 | 3 | 4;
  readonly format: (value: number) => string;
  /** How the axis writes its values, which are round; `format` when absent. */
  readonly formatTick?: (value: number) => string;
  /** Drawn as a dashed line: a plan, a limit. */
  readonly dashed?: boolean;
  /** Of the right-hand axis. */
  readonly right?: boolean;
  readonly filled?: boolean;
}

export interface TimeChartProps {
  /** What is drawn, in a sentence, for those who do not see it. */
  readonly label: string;
  /** ISO 8601 or ms since the epoch, ascending. */
  readonly at: readonly (string | number)[];
  readonly lines: readonly Line[];
  readonly height?: number;
}

const DAY_S = 86_400;

/** `14:00`, and the day where one begins: `11-23`. */
function hoursOrDays(_: uPlot, ticks: number[]): string[] {
  return ticks.map((tick) => new Date(tick * 1000).toISOString().slice(...(tick % DAY_S === 0 ? [5, 10] : [11, 16])));
}

/** The chart itself, drawn by uPlot on a canvas; what is below the pointer is written out above it. */
export default function TimeChartDrawn({ label, at, lines, height = 220 }: TimeChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [under, setUnder] = useState<number | null>(null);
  const scheme = useComputedColorScheme('light');

  // biome-ignore lint/correctness/useExhaustiveDependencies: the scheme changes what the variables say
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const text = colour('--chart-text');
    const grid = { stroke: colour('--chart-grid'), width: 1 };
    const font = '12px system-ui, sans-serif';
    const left = lines.find(({ right }) => !right);
    const right = lines.find(({ right }) => right);
    const axis = (scale: string, format: (value: number) => string, side: 1 | 3): uPlot.Axis => ({
      scale,
      side,
      stroke: text,
      font,
      size: 62,
      grid: side === 3 ? grid : { show: false },
      ticks: { show: false },
      values: (_, ticks) => ticks.map((tick) => format(tick)),
    });
    const chart = new uPlot(
      {
        width: element.clientWidth,
        height,
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
        legend: { show: false },
        cursor: { y: false, points: { size: 7 } },
        scales: {
          x: { time: true },
          left: { range: (_, min, max) => [Math.min(0, min), max <= 0 ? 1 : max * 1.08] },
          right: { range: (_, min, max) => [Math.min(0, min), max <= 0 ? 1 : max * 1.08] },
        },
        axes: [
          { stroke: text, font, grid: { show: false }, ticks: { show: false }, values: hoursOrDays },
          ...(left ? [axis('left', left.formatTick ?? left.format, 3)] : []),
          ...(right ? [axis('right', right.formatTick ?? right.format, 1)] : []),
        ],
        series: [
          {},
          ...lines.map(({ label, dashed, filled, right, colour: which = 1 }): uPlot.Series => {
            const stroke = colour(`--chart-${which}`);
            return {
              label,
              scale: right ? 'right' : 'left',
              stroke,
              width: 2,
              points: { show: at.length < 3 },
              ...(dashed && { dash: [6, 5] }),
              ...(filled && { fill: `color-mix(in srgb, ${stroke} 12%, transparent)` }),
            };
          }),
        ],
        hooks: { setCursor: [({ cursor: { idx } }) => setUnder(idx ?? null)] },
      },
      [at.map((one) => new Date(one).getTime() / 1000), ...lines.map(({ values }) => [...values])],
      element,
    );
    const watch = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      chart.destroy();
    };
  }, [at, lines, height, scheme]);

  // Until something is pointed at: the last instant of which all is known.
  const last = at.findLastIndex((_, index) => lines.every(({ values }) => values[index] != null));
  const shown = under ?? (last === -1 ? at.length - 1 : last);
  return (
    <figure className={classes.figure} aria-label={label}>
      <figcaption className={classes.legend} aria-hidden="true">
        <span className={classes.at}>{at[shown] !== undefined && formatUtc(at[shown]).slice(0, 16)}</span>
        {lines.map((line, index) => (
          <span
            key={line.label}
            className={classes.entry}
            data-colour={line.colour ?? 1}
            data-dashed={line.dashed || undefined}
          >
            {line.label}
            <b className="figure">{line.values[shown] == null ? '—' : line.format(lines[index]!.values[shown]!)}</b>
          </span>
        ))}
      </figcaption>
      <div ref={place} style={{ height }} aria-hidden="true" />
      <details className={classes.table}>
        <summary>As a table</summary>
        <section tabIndex={0} aria-label={`${label}: figures`}>
          <table>
            <thead>
              <tr>
                <th scope="col">Time (UTC)</th>
                {lines.map((line) => (
                  <th key={line.label} scope="col">
                    {line.label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {at.map((one, index) => (
                <tr key={String(one)}>
                  <th scope="row">{formatUtc(one).slice(0, 16)}</th>
                  {lines.map((line) => (
                    <td key={line.label}>{line.values[index] == null ? '—' : line.format(line.values[index])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  );
}
