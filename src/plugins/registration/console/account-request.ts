import { useState } from 'react';
import { passwordWeakness } from '#shared/password-rules';
import type { LocalizedText } from '#shared/text';
import { applicantMessages } from './messages.ts';

/** Fields of a request for an account. */
export interface AccountRequest {
  readonly name: string;
  readonly account: string;
  readonly password: string;
  readonly password2: string;
}

/** Message of a field: a text of the plugin, or of the kernel by its key. */
type RequestMessage = LocalizedText | 'signIn.weakPassword';

const emptyRequest = { name: '', account: '', password: '', password2: '' };
const validatedFields = ['account', 'password', 'password2'] as const;

/** Holds the fields of a request for an account and their validation errors. `entered` has the fields as typed, `values` without surrounding spaces. */
export function useAccountRequest(initialValues: Partial<AccountRequest> = {}) {
  const [values, setValues] = useState<AccountRequest>({ ...emptyRequest, ...initialValues });
  const [errors, setErrors] = useState<Partial<Record<keyof AccountRequest, RequestMessage>>>({});
  const change = (field: keyof AccountRequest) => (value: string) => {
    setValues((before) => ({ ...before, [field]: value }));
    setErrors((before) => ({ ...before, [field]: undefined }));
  };
  /** Validates all fields and returns the first invalid one. */
  const validateAll = (): keyof AccountRequest | undefined => {
    const found = validate(values);
    setErrors(found);
    return validatedFields.find((field) => found[field]);
  };
  return { values: { ...values, name: values.name.trim(), account: values.account.trim() }, entered: values, errors, change, validateAll };
}

/** The order of the checks and their messages match those of BladeX-compatible clients. */
function validate({ account, name, password, password2 }: AccountRequest): Partial<Record<keyof AccountRequest, RequestMessage>> {
  const repetitionProblem = password2 === '' ? applicantMessages.passwordMissing : password2 === password ? undefined : applicantMessages.passwordsDiffer;
  return {
    ...(account.trim() === '' ? { account: applicantMessages.accountMissing } : {}),
    ...(password === ''
      ? { password: applicantMessages.passwordMissing }
      : passwordWeakness(password, [account, name])
        ? { password: 'signIn.weakPassword' }
        : {}),
    ...(repetitionProblem ? { password2: repetitionProblem } : {}),
  };
}
