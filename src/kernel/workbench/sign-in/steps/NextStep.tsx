import { use, useEffect } from 'react';
import { useService } from '../../../base/react/services.tsx';
import { SecondFactorStep } from './SecondFactorStep.tsx';
import { type HandledStep, SignInMethodList, type SignInStep, type SignInStepProps } from './sign-in-method.ts';

type StepProps = Omit<SignInStepProps, 'guest' | 'returned'>;

/** Renders every step of signing in other than account and password. */
export default function NextStep({ step, ...props }: StepProps & { readonly step: Exclude<SignInStep, { kind: 'account' }> }) {
  if (step.kind === 'secondFactor') return <SecondFactorStep {...props} token={step.token} tenantId={step.tenantId} />;
  if (step.kind === 'method') return step.method.Step && <step.method.Step {...props} />;
  return <Handled step={step} {...props} />;
}

/** Renders the step of the method that handles it; a deployment without one begins with the password. */
function Handled({ step: { kind, ...given }, ...props }: StepProps & { readonly step: HandledStep }) {
  const methods = use(useService(SignInMethodList).load());
  const name = kind === 'return' ? 'ReturnStep' : 'GuestStep';
  const Step = methods.find((method) => method[name])?.[name];
  const { onStep } = props;
  useEffect(() => {
    if (!Step) onStep({ kind: 'account' });
  }, [Step, onStep]);
  return Step && <Step {...given} {...props} />;
}
