import { type KeyboardEvent, useRef } from 'react';

/** Keys of a field with a calendar: Escape closes the calendar alone, not the form around it, and Enter takes what was typed and sends no form. */
export function useCalendarKeys() {
  const isOpen = useRef(false);
  const wasOpen = useRef(false);
  return {
    /** For the element around the field: it hears what the field leaves over. */
    box: {
      onKeyDownCapture: () => {
        wasOpen.current = isOpen.current;
      },
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === 'Escape' && wasOpen.current) event.stopPropagation();
        if (event.key === 'Enter' && wasOpen.current) event.preventDefault();
      },
    },
    /** For the field itself. */
    picker: {
      onVisibleChange: (visible: boolean | undefined) => {
        isOpen.current = visible === true;
      },
      triggerProps: { escToClose: true },
    },
  };
}
