import { Button, Radio } from '@arco-design/web-react';
import { useState } from 'react';
import { Toasts, useMutation, useService, useTranslation } from '#kernel';
import { traitsOf } from '#shared/fields';
import type { LocalizedText } from '#shared/text';
import { type JobDifference, JobInfo, jobServer, type SyncDirection } from '../contract.ts';
import styles from './job.module.css';
import { syncMessages } from './sync-messages.ts';

/** Difference that could not be resolved. */
export interface UnresolvedDifference {
  readonly name: string;
  readonly reason: string;
}

interface DifferencesProps {
  readonly serverId: string;
  readonly found: readonly JobDifference[];
  readonly onResolved: (failed: readonly UnresolvedDifference[]) => void;
}

/** Resolution of a difference: ignore it, or apply it one way. */
type Resolution = SyncDirection | 'keep';
type DifferenceKind = JobDifference['kind'];

const kindMessages: Readonly<Record<DifferenceKind, LocalizedText>> = {
  here: syncMessages.onlyHere,
  there: syncMessages.onlyThere,
  differs: syncMessages.differs,
};
const resolutionMessages: Readonly<Record<DifferenceKind, Readonly<Record<SyncDirection, LocalizedText>>>> = {
  here: { push: syncMessages.addThere, pull: syncMessages.removeHere },
  there: { push: syncMessages.removeThere, pull: syncMessages.addHere },
  differs: { push: syncMessages.push, pull: syncMessages.pull },
};
const isImportable = ({ unsupported }: JobDifference) => unsupported === '';
const allows = (one: JobDifference, choice: Resolution) => choice !== 'pull' || one.kind === 'here' || isImportable(one);

/** Lists differences with a resolution for each; nothing is applied until the operator confirms. */
export function Differences({ serverId, found, onResolved }: DifferencesProps) {
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [resolutions, setResolutions] = useState<Readonly<Record<string, Resolution>>>({});
  const choices = found.flatMap(({ key }) => {
    const direction = resolutions[key] ?? 'keep';
    return direction === 'keep' ? [] : [{ key, way: direction }];
  });
  const resolveAll = (choice: Resolution) => setResolutions(Object.fromEntries(found.map((one) => [one.key, allows(one, choice) ? choice : 'keep'])));
  const sync = useMutation(jobServer.sync, {
    onSuccess: ({ done, failed }) => {
      if (done > 0) toasts.success(t(syncMessages.done, { count: done }));
      if (failed.length > 0) toasts.error(t(syncMessages.failed, { count: failed.length }));
      onResolved(failed);
    },
  });
  return (
    <>
      <fieldset className={styles.bar}>
        <legend className={styles.kind}>{t(syncMessages.all)}</legend>
        <Button onClick={() => resolveAll('push')}>{t(syncMessages.allPush)}</Button>
        <Button onClick={() => resolveAll('pull')}>{t(syncMessages.allPull)}</Button>
        <Button onClick={() => resolveAll('keep')}>{t(syncMessages.allKeep)}</Button>
        <Button type="primary" loading={sync.isPending} disabled={choices.length === 0} onClick={() => void sync.mutate({ id: serverId, choices })}>
          {t(syncMessages.apply, { count: choices.length })}
        </Button>
      </fieldset>
      <ul className={styles.differences}>
        {found.map((one) => (
          <li key={one.key}>
            <h3>
              {one.name} <span className={styles.kind}>{t(kindMessages[one.kind])}</span>
            </h3>
            {one.unsupported && <p className={styles.help}>{one.unsupported}</p>}
            <ChangedFields difference={one} />
            <Radio.Group
              aria-label={one.name}
              value={resolutions[one.key] ?? 'keep'}
              onChange={(choice: Resolution) => setResolutions({ ...resolutions, [one.key]: choice })}
              options={(['keep', 'push', 'pull'] as const).map((value) => ({
                value,
                label: t(value === 'keep' ? syncMessages.keep : resolutionMessages[one.kind][value]),
                disabled: !allows(one, value),
              }))}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function ChangedFields({ difference: { name, fields } }: { readonly difference: JobDifference }) {
  const t = useTranslation();
  if (fields.length === 0) return null;
  return (
    <div className={styles.scroll}>
      <table aria-label={name}>
        <thead>
          <tr>
            <th scope="col">{t(syncMessages.field)}</th>
            <th scope="col">{t(syncMessages.here)}</th>
            <th scope="col">{t(syncMessages.there)}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ field, here, there }) => (
            <tr key={field}>
              <th scope="row">{t(fieldTexts(field).title)}</th>
              <td>{displayed(field, here, t)}</td>
              <td>{displayed(field, there, t)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const fieldTexts = (field: string) => {
  const schema = JobInfo.fields[field as keyof typeof JobInfo.fields];
  return { title: (traitsOf(schema)?.title ?? [field, field]) as LocalizedText, options: traitsOf(schema)?.options };
};

function displayed(field: string, value: string, t: (text: LocalizedText) => string): string {
  const option = fieldTexts(field).options?.find(([optionValue]) => String(optionValue) === value);
  return option ? t(option[1]) : value || '–';
}
