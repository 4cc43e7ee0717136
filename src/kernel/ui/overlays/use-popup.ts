import { type RefObject, useEffect } from 'react';

/** Dropdowns and dialogs of the popup's controls are mounted in the body but belong to the popup; Escape closes them first. */
const isInOverlay = (target: Element) => target.closest('.arco-trigger, .arco-modal-wrapper') !== null;

/**
 * Closes a popup on Escape inside `root`, which contains it and its opener, and on a click elsewhere. Escape returns the focus to the opener. `onClose` must be the same
 * function while the popup is open; clicks in elements that match `beside` keep it open.
 */
export function usePopup(root: RefObject<HTMLElement | null>, isOpen: boolean, onClose: () => void, beside?: string): void {
  useEffect(() => {
    const area = root.current;
    if (!isOpen || !area) return;
    const opener = () => area.querySelector<HTMLElement>('[aria-haspopup=dialog]');
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target as Element;
      const expanded = target.closest('[aria-expanded=true]');
      if (event.key !== 'Escape' || event.defaultPrevented || isInOverlay(target) || (expanded && expanded !== opener())) return;
      event.stopPropagation();
      onClose();
      opener()?.focus();
    };
    const onMouseDown = ({ target }: Event) => {
      // A click may have removed its own target, for example the button that removes a filter condition.
      if (!(target instanceof Element) || !target.isConnected || isInOverlay(target) || area.contains(target)) return;
      if (beside && target.closest(beside)) return;
      onClose();
    };
    area.addEventListener('keydown', onKeyDown);
    document.addEventListener('mousedown', onMouseDown);
    return () => {
      area.removeEventListener('keydown', onKeyDown);
      document.removeEventListener('mousedown', onMouseDown);
    };
  }, [root, isOpen, onClose, beside]);
}
