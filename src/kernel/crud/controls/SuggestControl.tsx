import { Input, Trigger } from '@arco-design/web-react';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import type { SuggestedValue } from '#shared/field-traits';
import { useQuery } from '../../platform/http/use-query.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { matchesSearch } from '../../ui/fields/search-match.ts';
import { type ControlProps, inputProps } from './control.ts';
import './suggest.css';
import { choicesCall } from '../references/reference-store.ts';

const noIndex = -1;

/** Enters text with suggestions from the contract or from a call. The suggestions open on typing, a click or an arrow key, not on focus alone. */
export default function SuggestControl(props: ControlProps) {
  const { field, value, disabled, onChange } = props;
  const t = useTranslation();
  const id = useId();
  const all = useSuggestions(props);
  const [isOpen, setIsOpen] = useState(false);
  const [highlightedIndex, setHighlightedIndex] = useState(noIndex);
  const typed = value === undefined || value === null ? '' : String(value);
  const exact = all.find((suggestion) => suggestion.value === typed);
  // With an exact match all suggestions are listed, because the user may want another one.
  const matches = exact ? all : all.filter(({ value, title }) => matchesSearch(`${value} ${t(title)}`, typed));
  const isShown = isOpen && matches.length > 0 && !disabled;
  const activeIndex = Math.min(highlightedIndex, matches.length - 1);

  const open = (index: number) => {
    setIsOpen(true);
    setHighlightedIndex(index);
  };
  const select = (suggestion: SuggestedValue) => {
    onChange(suggestion.value);
    setIsOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const highlighted = isShown ? matches[activeIndex] : undefined;
    if (step && !isShown) open(exact ? matches.indexOf(exact) : step > 0 ? 0 : matches.length - 1);
    else if (step) setHighlightedIndex(activeIndex === noIndex && step < 0 ? matches.length - 1 : (activeIndex + step + matches.length) % matches.length);
    else if (event.key === 'Enter' && highlighted) select(highlighted);
    else if (event.key === 'Escape' && isShown) setIsOpen(false);
    else return;
    event.preventDefault();
    // Otherwise the key would also close the dialog around the field or submit the form.
    event.stopPropagation();
  };

  return (
    <>
      <Trigger
        popupVisible={isShown}
        position="bl"
        autoAlignPopupWidth
        unmountOnExit
        popup={() => <SuggestionList id={id} field={field} matches={matches} index={activeIndex} onHighlight={setHighlightedIndex} onSelect={select} />}
      >
        <div>
          <Input
            {...inputProps(props)}
            value={typed}
            autoComplete="off"
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={isShown}
            aria-controls={id}
            aria-activedescendant={isShown && activeIndex !== noIndex ? optionId(id, activeIndex) : undefined}
            onChange={(text) => {
              open(noIndex);
              onChange(text);
            }}
            onClick={() => open(exact ? matches.indexOf(exact) : noIndex)}
            onBlur={() => setIsOpen(false)}
            onKeyDown={onKeyDown}
          />
        </div>
      </Trigger>
      {exact && field.traits.suggestFrom && <p className="crud-form__help">{t(exact.help)}</p>}
    </>
  );
}

const optionId = (list: string, index: number) => `${list}-${index}`;

interface SuggestionListProps extends Pick<ControlProps, 'field'> {
  readonly id: string;
  readonly matches: readonly SuggestedValue[];
  readonly index: number;
  readonly onHighlight: (index: number) => void;
  readonly onSelect: (suggestion: SuggestedValue) => void;
}

function SuggestionList({ id, field, matches, index, onHighlight, onSelect }: SuggestionListProps) {
  const t = useTranslation();
  useEffect(() => {
    document.getElementById(optionId(id, index))?.scrollIntoView?.({ block: 'nearest' });
  }, [id, index]);
  return (
    // The field keeps the focus.
    <div
      id={id}
      role="listbox"
      aria-label={t('form.suggestions', { name: t(field.traits.title) })}
      className="suggest"
      onMouseDown={(event) => event.preventDefault()}
    >
      {matches.map((suggestion, optionIndex) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys.
        <div
          key={suggestion.value}
          id={optionId(id, optionIndex)}
          role="option"
          tabIndex={-1}
          aria-selected={optionIndex === index}
          className="suggest__option"
          onPointerMove={() => onHighlight(optionIndex)}
          onClick={() => onSelect(suggestion)}
        >
          {suggestion.value} <span className="suggest__title">{t(suggestion.title)}</span>
        </div>
      ))}
    </div>
  );
}

function useSuggestions({ field, callInput }: ControlProps): readonly SuggestedValue[] {
  const path = field.traits.suggestFrom?.path;
  const input = callInput ? JSON.parse(callInput) : {};
  const { data = [] } = useQuery(choicesCall({ path: path ?? '' }), input, { enabled: path !== undefined, keepPreviousData: true, quiet: true });
  return field.traits.suggestions ?? (data as readonly SuggestedValue[]);
}
