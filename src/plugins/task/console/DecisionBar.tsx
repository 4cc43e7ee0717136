import { Button, Input } from '@arco-design/web-react';
import type { RefInputType } from '@arco-design/web-react/es/Input';
import { type Ref, useState } from 'react';
import { useDraft, useTranslation, useUnsavedChanges } from '#kernel';
import { audit } from '../contract.ts';
import { workbenchMessages } from './messages.ts';
import styles from './Workbench.module.css';

interface DecisionBarProps {
  /** True in a role preview: the buttons are shown, and a sentence says why they do nothing. */
  readonly isReadOnly?: boolean;
  /** Number of selected proofs; with 0 a decision applies to the one shown. */
  readonly count: number;
  readonly reasons: readonly string[];
  readonly reasonField: Ref<RefInputType>;
  readonly onApprove: () => void;
  readonly onReject: (reason: string) => void;
  readonly onLater: () => void;
}

/** Buttons to approve, reject with a reason, or skip; each shows its keyboard shortcut. On a phone they stay at the thumb, and the reasons open above them. */
export function DecisionBar({ isReadOnly = false, count, reasons, reasonField, onApprove, onReject, onLater }: DecisionBarProps) {
  const t = useTranslation();
  const draft = useDraft<{ readonly reason: string }>(audit.decide.path);
  const [reason, setTyped] = useState(draft.found?.reason ?? '');
  const [isRejecting, setIsRejecting] = useState(false);
  useUnsavedChanges(reason.trim() !== '');
  const setReason = (typed: string) => {
    setTyped(typed);
    if (typed === '') draft.discard();
    else draft.store({ reason: typed });
  };
  const reject = (why: string) => {
    setIsRejecting(false);
    onReject(why);
  };
  const rejectTyped = () => {
    if (reason.trim() === '') return;
    reject(reason.trim());
    setReason('');
  };
  return (
    <div className={styles.decision}>
      {isReadOnly && <p className={styles.readOnly}>{t(workbenchMessages.readOnly)}</p>}
      <div className={styles.verdicts}>
        <Button
          size="large"
          status="danger"
          className={styles.rejectButton ?? ''}
          disabled={isReadOnly}
          aria-expanded={isRejecting}
          onClick={() => setIsRejecting(!isRejecting)}
        >
          {t(workbenchMessages.reject)}
        </Button>
        <Button type="primary" size="large" className={styles.approve ?? ''} disabled={isReadOnly} onClick={onApprove}>
          {count > 0 ? t(workbenchMessages.approveMany, { count }) : t(workbenchMessages.approve)} <kbd>A</kbd>
        </Button>
        <Button size="large" disabled={isReadOnly || count > 0} onClick={onLater}>
          {t(workbenchMessages.later)} <kbd>S</kbd>
        </Button>
      </div>
      <fieldset className={styles.reasons} data-open={isRejecting}>
        <legend>{count > 0 ? t(workbenchMessages.rejectMany, { count }) : t(workbenchMessages.reject)}</legend>
        {reasons.map((one, index) => (
          <Button key={one} size="small" status="danger" disabled={isReadOnly} onClick={() => reject(one)}>
            <kbd>{index + 1}</kbd> {one}
          </Button>
        ))}
        <Input
          ref={reasonField}
          disabled={isReadOnly}
          value={reason}
          maxLength={255}
          aria-label={t(workbenchMessages.reasons)}
          placeholder={t(workbenchMessages.otherReason)}
          onChange={setReason}
          onKeyDown={(event) => {
            if (event.key === 'Escape') (event.target as HTMLElement).blur();
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            (event.target as HTMLElement).blur();
            rejectTyped();
          }}
          suffix={<kbd>R</kbd>}
        />
      </fieldset>
    </div>
  );
}
