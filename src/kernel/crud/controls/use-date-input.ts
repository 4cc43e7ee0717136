import { type FocusEvent, type FormEvent, type KeyboardEvent, type MouseEvent, useRef, useState } from 'react';
import { wireFormats } from '#shared/formats';

/** Widget of a field that is entered with a calendar or a clock. */
export type DateWidget = 'date-time' | 'date' | 'time';

const wireFormatOf = { 'date-time': 'wire-date-time', date: 'date', time: 'wire-time' } as const;

/**
 * Handles keys and typed text of a picker with an input for each time in `defaultTimes`.
 * Escape closes only the calendar, not the form around it. Enter takes the typed text without submitting the form.
 * Typed text is also taken when the focus leaves the picker, which would discard it; a date without a time of day gets the default time of its input.
 */
export function useDateInput(widget: DateWidget, defaultTimes: readonly string[], onTyped: (dates: readonly (string | undefined)[]) => void) {
  const [isOpen, setOpen] = useState(false);
  const wasOpen = useRef(false);
  const isTabbing = useRef(false);
  const typed = useRef<string[]>([]);
  const discardTyped = () => {
    typed.current = [];
  };
  return {
    /** Props of the element around the picker; it receives the keys the picker does not handle. */
    box: {
      onKeyDownCapture: ({ key }: KeyboardEvent) => {
        wasOpen.current = isOpen;
        isTabbing.current = key === 'Tab';
        if (key === 'Escape') discardTyped();
      },
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === 'Escape' && wasOpen.current) event.stopPropagation();
        if (event.key === 'Enter' && wasOpen.current) event.preventDefault();
      },
      onInputCapture: ({ target, currentTarget }: FormEvent<HTMLElement>) => {
        const index = Array.from(currentTarget.querySelectorAll('input')).indexOf(target as HTMLInputElement);
        if (index !== -1) typed.current[index] = (target as HTMLInputElement).value.trim();
      },
      // A click into the calendar is also an event of this element, in which the calendar is rendered.
      onClickCapture: ({ target, currentTarget }: MouseEvent<HTMLElement>) => {
        if (!currentTarget.contains(target as Node)) discardTyped();
      },
      onBlurCapture: ({ relatedTarget, currentTarget }: FocusEvent<HTMLElement>) => {
        if (currentTarget.contains(relatedTarget)) return;
        // A click into the calendar also takes the focus from the input; a click elsewhere closes the calendar on its own.
        if (isTabbing.current && !relatedTarget?.closest('.arco-trigger-popup')) setOpen(false);
        const dates = defaultTimes.map((time, index) => wireDate(widget, typed.current[index] ?? '', time));
        discardTyped();
        if (dates.some((date) => date !== undefined)) onTyped(dates);
      },
    },
    /** Props of the calendar itself. A clock opens and closes on its own. */
    calendar: {
      popupVisible: isOpen,
      onVisibleChange: (isVisible: boolean | undefined) => setOpen(isVisible === true),
      triggerProps: { escToClose: true },
    },
  };
}

/** Returns typed text in the wire format, or undefined if it names no existing date or time. */
function wireDate(widget: DateWidget, text: string, defaultTime: string): string | undefined {
  const date = widget === 'date-time' && wireFormats.date?.(text) ? `${text} ${defaultTime}` : text;
  return wireFormats[wireFormatOf[widget]]?.(date) ? date : undefined;
}
