import type { ReactNode } from 'react';
import { numberText } from '../model/cell-text.ts';
import type { Row } from '../model/crud-screen.ts';
import type { ScreenField } from '../model/entity-fields.ts';

/** Returns the text beside a bar: its last counter and the total. */
export const progressText = ({ name, traits: { progress } }: Pick<ScreenField, 'name' | 'traits'>, row: Row): string =>
  `${numberText(row[progress?.parts?.at(-1) ?? name])} / ${numberText(Number(row[progress?.total ?? '']) || 0)}`;

/** Draws a counter as a progress bar with its other counters on top. The label lists all of them. */
export function progressBar(field: ScreenField, row: Row, label: string): ReactNode {
  const { name, traits } = field;
  const { total = '', parts = [] } = traits.progress ?? {};
  const totalCount = Number(row[total]) || 0;
  const share = (counter: string) => `${totalCount > 0 ? Math.min(100, (Number(row[counter]) / totalCount) * 100) : 0}%`;
  return (
    <span className="cell_progress" title={label}>
      <span className="cell_bar" role="img" aria-label={label}>
        {[name, ...parts].map((counter) => (
          <i key={counter} style={{ width: share(counter) }} />
        ))}
      </span>
      <span aria-hidden="true">{progressText(field, row)}</span>
    </span>
  );
}
