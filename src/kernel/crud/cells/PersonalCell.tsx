import { IconEye, IconEyeInvisible } from '@arco-design/web-react/icon';
import { useEffect, useState } from 'react';
import type { MaskedField } from '#shared/entity';
import { showPersonal } from '#shared/personal-data';
import { useMutation } from '../../platform/http/use-mutation.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useCan } from '../../platform/permission/use-can.tsx';
import { CopyButton } from '../../ui/primitives/CopyButton.tsx';
import type { Row } from '../model/crud-screen.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import type { WrapContent } from './Cell.tsx';

interface PersonalCellProps {
  readonly masked: MaskedField;
  readonly field: ScreenField;
  readonly row: Row;
  readonly wrap: WrapContent;
}

/** Milliseconds after which a shown value is masked again, so that it does not stay on an unattended screen. */
const shownMs = 60_000;

/** Renders a masked value with the button that shows it, for users who may: the server then records who has seen which field of which record. */
export default function PersonalCell({ masked: { entity, code }, field, row, wrap }: PersonalCellProps) {
  const t = useTranslation();
  const maySee = useCan(code);
  const { name, traits } = field;
  const { value, isPending, toggle } = useShownValue(entity, row.id, name, String(row[name]));
  const label = t(value === undefined ? 'table.showPersonal' : 'table.hidePersonal', { title: t(traits.title) });
  return (
    <span className="cell cell_copyable">
      {wrap(
        <span className="cell" title={value}>
          {value ?? String(row[name])}
        </span>,
      )}
      {value !== undefined && traits.copyable && <CopyButton value={value} />}
      {maySee && (
        <button
          type="button"
          className="cell__show"
          aria-label={label}
          title={label}
          aria-pressed={value !== undefined}
          aria-busy={isPending}
          onClick={(event) => {
            event.stopPropagation();
            toggle();
          }}
        >
          {value === undefined ? <IconEye /> : <IconEyeInvisible />}
        </button>
      )}
    </span>
  );
}

/** Keeps the value that the server has shown until it is hidden, a minute has passed or the row has changed. */
function useShownValue(entity: string, id: string, field: string, maskedText: string) {
  const [shown, setShown] = useState<{ readonly of: string; readonly value: string }>();
  const of = `${id} ${maskedText}`;
  const { isPending, mutate } = useMutation(showPersonal, { onSuccess: ({ values }) => setShown({ of, value: values[field] ?? '' }) });
  const value = shown?.of === of ? shown.value : undefined;
  useEffect(() => {
    const timer = value === undefined ? undefined : setTimeout(() => setShown(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [value]);

  const toggle = () => (value === undefined ? void mutate({ entity, id, fields: [field] }) : setShown(undefined));
  return { value, isPending, toggle };
}
