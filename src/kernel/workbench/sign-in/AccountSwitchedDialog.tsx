import { useId } from 'react';
import { useService } from '../../base/react/services.tsx';
import { signInMethodTexts } from '../../platform/i18n/texts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { WithTexts } from '../../platform/i18n/WithTexts.tsx';
import { Session } from '../../platform/session/session.ts';
import { StepActions, StepButton, StepDialog, StepDialogHint } from './steps/StepParts.tsx';

interface AccountSwitchedDialogProps {
  readonly from: string;
  readonly to: string;
  readonly onClose: () => void;
}

/** Warns that another tab has signed in another user, before the operator acts under that user's name by mistake. */
export default function AccountSwitchedDialog(props: AccountSwitchedDialogProps) {
  return (
    <WithTexts part={signInMethodTexts}>
      <Switched {...props} />
    </WithTexts>
  );
}

function Switched({ from, to, onClose }: AccountSwitchedDialogProps) {
  const t = useTranslation();
  const session = useService(Session);
  const signOut = () => {
    onClose();
    void session.signOut();
  };
  return (
    <StepDialog title={t('signInMethods.switchedTitle')} titleId={useId()} onLeave={onClose}>
      <StepDialogHint>{t('signInMethods.switched', { from, to })}</StepDialogHint>
      <StepActions>
        <StepButton isPrimary onClick={onClose}>
          {t('signInMethods.switchedContinue', { to })}
        </StepButton>
        <StepButton onClick={signOut}>{t('signInMethods.switchedLeave')}</StepButton>
      </StepActions>
    </StepDialog>
  );
}
