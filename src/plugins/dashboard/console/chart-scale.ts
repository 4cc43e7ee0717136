import type { ChartFigure, FigureUnit } from '#shared/figures';

const roundFactors = [1, 2, 2.5, 5, 10];

/** Returns the end of an axis that holds `highest` in steps of round numbers; money is in 分, with steps of whole units. */
export function axisMax(highest: number, unit: FigureUnit, steps: number): number {
  const smallest = unit === 'money' ? 100 : 1;
  const step = Math.max(highest / steps, smallest) / smallest;
  const power = 10 ** Math.floor(Math.log10(step));
  const factor = roundFactors.find((one) => one * power >= step && Number.isInteger(one * power)) ?? 10;
  return factor * power * smallest * steps;
}

/** Returns the indexes of the series of each column; series of one stack stand on each other. */
export function stacksOf({ series }: ChartFigure): readonly (readonly number[])[] {
  const stacks = new Map<string | number, number[]>();
  series.forEach(({ stack }, index) => {
    stacks.set(stack ?? index, [...(stacks.get(stack ?? index) ?? []), index]);
  });
  return [...stacks.values()];
}
