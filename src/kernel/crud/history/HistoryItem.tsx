import { Button } from '@arco-design/web-react';
import { IconArrowRight, IconUndo } from '@arco-design/web-react/icon';
import { useState } from 'react';
import { type ChangeAction, changeActionTitles } from '#shared/change-actions';
import type { Tone } from '#shared/fields';
import type { ChangedValue, HistoryEntry } from '#shared/history-schemas';
import { isEmpty } from '#shared/text';
import { useService } from '../../base/react/services.tsx';
import { formatRelativeTime } from '../../platform/i18n/date-time.ts';
import { Locale } from '../../platform/i18n/locale.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Session } from '../../platform/session/session.ts';
import { FieldValue } from '../cells/FieldList.tsx';
import { Tag } from '../cells/Tag.tsx';
import type { Row } from '../model/crud-screen.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import type { FormatField } from '../model/parent-trees.ts';
import { historyMessages } from './history-messages.ts';

interface HistoryItemProps {
  readonly entry: HistoryEntry;
  readonly fields: ReadonlyMap<string, ScreenField>;
  readonly row: Row;
  readonly format: FormatField;
  /** Absent where the record already has the values of this version, or may not be edited. */
  readonly onRestoreVersion: (() => void) | undefined;
  /** Returns the action that restores the previous value of a field, if there is one. */
  readonly onRestoreValue: (name: string, change: ChangedValue) => (() => void) | undefined;
}

const tones: Readonly<Record<ChangeAction, Tone>> = {
  created: 'good',
  updated: 'brand',
  deleted: 'danger',
  restored: 'good',
  archived: 'warning',
  imported: 'good',
};

/** Shows one change of a record: its author, time and call, and each field with its values before and after. */
export function HistoryItem({ entry, fields, row, format, onRestoreVersion, onRestoreValue }: HistoryItemProps) {
  const t = useTranslation();
  const changes = Object.entries(entry.fields);
  return (
    <li className="history__entry">
      <header className="history__header">
        <b>{entry.userName ?? t(historyMessages.system)}</b>
        <Tag tone={tones[entry.action]}>{t(changeActionTitles[entry.action])}</Tag>
        <EntryTime time={entry.time} />
        {entry.title && <span className="history__call">{entry.title}</span>}
        {onRestoreVersion && (
          <Button className="history__restore" size="mini" icon={<IconUndo />} onClick={onRestoreVersion}>
            {t(historyMessages.restoreVersion)}
          </Button>
        )}
      </header>
      {changes.length > 0 && (
        <dl className="history__fields">
          {changes.map(([name, change]) => {
            const field = fields.get(name) ?? unknownField(name);
            const onRestore = onRestoreValue(name, change);
            const title = t(field.traits.title);
            return (
              <div key={name} className="history__field">
                <dt>{title}</dt>
                <dd>
                  <Change field={field} change={change} row={row} format={format} />
                </dd>
                {onRestore && (
                  <Button
                    type="text"
                    size="mini"
                    icon={<IconUndo />}
                    aria-label={t(historyMessages.restoreValueOf, { title })}
                    title={t(historyMessages.restoreValue)}
                    onClick={onRestore}
                  />
                )}
              </div>
            );
          })}
        </dl>
      )}
    </li>
  );
}

/** Describes a field that the screen no longer has. */
const unknownField = (name: string): ScreenField => ({ name, schema: {}, traits: { title: [name, name], widget: 'text' } });

interface ChangeProps {
  readonly field: ScreenField;
  readonly change: ChangedValue;
  readonly row: Row;
  readonly format: FormatField;
}

/** Shows the values before and after; of lists only the removed and the added items. */
function Change({ field, change, row, format }: ChangeProps) {
  const t = useTranslation();
  const [from, to] = withoutCommonItems(change);
  return (
    <>
      <del className="history__from">
        <span className="visually-hidden">{t(historyMessages.from)}</span>
        <HistoryValue field={field} value={from} row={row} format={format} />
      </del>
      <IconArrowRight aria-hidden className="history__arrow" />
      <ins className="history__to">
        <span className="visually-hidden">{t(historyMessages.to)}</span>
        <HistoryValue field={field} value={to} row={row} format={format} />
      </ins>
    </>
  );
}

function withoutCommonItems([from, to]: ChangedValue): ChangedValue {
  if (!Array.isArray(from) || !Array.isArray(to)) return [from, to];
  const [before, after] = [new Set(from.map(String)), new Set(to.map(String))];
  const removed = from.filter((item) => !after.has(String(item)));
  const added = to.filter((item) => !before.has(String(item)));
  return removed.length + added.length === 0 ? [from, to] : [removed, added];
}

/** Shows a time with its distance from now. */
function EntryTime({ time }: { readonly time: string }) {
  const { language } = useService(Locale);
  const { user } = useService(Session);
  const [seconds = time] = time.split('.');
  const relative = user?.time_zone ? formatRelativeTime(seconds, user.time_zone, language) : '';
  return (
    <time className="history__time" dateTime={time.replace(' ', 'T')} title={time}>
      {[relative, seconds].filter(Boolean).join(' · ')}
    </time>
  );
}

interface HistoryValueProps {
  readonly field: ScreenField;
  readonly value: unknown;
  /** The record as it is, whose other fields some references need. */
  readonly row: Row;
  readonly format: FormatField;
}

/** Number of characters up to which a value is shown completely. */
const maxShownLength = 160;

/** Renders one value of an earlier version as the cells of the table do; a long one is collapsed. */
export function HistoryValue({ field, value, row, format }: HistoryValueProps) {
  const t = useTranslation();
  const [isExpanded, setIsExpanded] = useState(false);
  if (isEmpty(value)) return <span className="history__nothing">{t(historyMessages.nothing)}</span>;
  // The name beside a reference belongs to its current value.
  const named = field.name.replace(/Id$/, 'Name');
  const { [named]: name, ...others } = row;
  const shown: Row = { ...others, ...(named === field.name ? { [named]: name } : {}), id: row.id, [field.name]: value };
  const isLong = typeof value === 'string' && value.length > maxShownLength;
  return (
    <>
      <div className={isLong && !isExpanded ? 'history__value history__value_collapsed' : 'history__value'}>
        <FieldValue field={field} row={shown} format={format} />
      </div>
      {isLong && (
        <Button type="text" size="mini" aria-expanded={isExpanded} onClick={() => setIsExpanded(!isExpanded)}>
          {t(isExpanded ? historyMessages.collapse : historyMessages.expand)}
        </Button>
      )}
    </>
  );
}
