import type { LocalizedText } from '#shared/text';
import { useQuery } from '../../platform/http/use-query.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { NamedSelect } from '../../ui/primitives/NamedSelect.tsx';
import { choicesCall } from '../references/reference-store.ts';
import { type ChoicesProps, type ControlProps, selectProps } from './control.ts';

interface UnavailableOption {
  readonly value: string | number;
  readonly reason: LocalizedText;
}

/** Other fields change with each key, so the call waits for a pause. */
const debounceMs = 200;

/** Picks one of the options. Those that the values of other fields exclude are shown with the reason. */
export default function AvailabilitySelect({ options, ...props }: ChoicesProps) {
  const t = useTranslation();
  const { field, value, onChange } = props;
  const unavailable = useUnavailableOptions(props);
  const offered = options.map((option) => {
    const reason = unavailable.find((candidate) => candidate.value === option.value)?.reason;
    return reason ? { ...option, label: t('form.unavailable', { option: option.label, reason: t(reason) }), disabled: true } : option;
  });
  return (
    <NamedSelect
      {...selectProps(props, t(field.traits.title), t('form.choose'))}
      options={offered}
      onChange={(selected) => onChange(selected)}
      value={(value ?? undefined) as string | number | undefined}
    />
  );
}

function useUnavailableOptions({ field, callInput }: ControlProps): readonly UnavailableOption[] {
  const source = field.traits.unavailableFrom;
  const input = { ...source?.input, ...(callInput ? JSON.parse(callInput) : {}) };
  const { data } = useQuery(choicesCall(source ?? { path: '' }), input, { enabled: source !== undefined, keepPreviousData: true, quiet: true, debounceMs });
  return (data ?? []) as readonly UnavailableOption[];
}
