import type { ComponentType } from 'react';
import type { TokenReply } from '#shared/auth';
import type { SignInWays } from '#shared/sign-in-ways';
import type { LocalizedText } from '#shared/text';
import type { ProviderReturn } from '../../platform/session/identity-returns.ts';
import type { IconName } from '../../ui/primitives/Icon.tsx';
import type { SignInTenant } from './steps/sign-in-tenant.ts';

/** Steps of the sign-in flow. */
export type SignInStep =
  | { readonly kind: 'account' }
  /** The password was right. */
  | { readonly kind: 'secondFactor'; readonly token: string; readonly tenantId: string }
  | MethodStep;

/** Step of a sign-in method of a plugin. */
interface MethodStep {
  readonly kind: 'method';
  readonly method: SignInMethod;
  /** Set for `handles: 'guest'`: the reply for an identity that is linked to no user, and its source. */
  readonly guest?: { readonly reply: TokenReply; readonly source: string };
  /** Set for `handles: 'return'`. */
  readonly returned?: ProviderReturn;
}

/** Props of the step of a sign-in method. */
export interface SignInStepProps extends Pick<MethodStep, 'guest' | 'returned'> {
  readonly tenant: SignInTenant;
  /** True once sign-in has succeeded and the console is loading. */
  readonly isOpening: boolean;
  /** Reports the first input, so that the console is preloaded. */
  readonly onTyping: () => void;
  readonly onSignedIn: () => void;
  /** Goes to another step, with a reason to show where the user did not choose it. */
  readonly onStep: (step: SignInStep, why?: string) => void;
  /** Sends the browser to a provider. */
  readonly onLeaveFor: (source: string) => void;
}

/** Props of the buttons of a sign-in method that has several. */
export interface SignInButtonsProps {
  /** What the server offers in the tenant: the value of the method's field in the reply of `oauth/ways`. */
  readonly offered: readonly string[];
  readonly onLeaveFor: (source: string) => void;
}

/**
 * A sign-in method of a plugin, from its file `console/sign-in.ts`. The sign-in page contains these files and no other of a plugin, so `Step` and `Buttons` are
 * created by `lazyComponent`.
 */
export interface SignInMethod {
  /** Name of its field in the reply of `oauth/ways`: the page offers it where the server does. */
  readonly id: string;
  readonly title: LocalizedText;
  readonly icon?: IconName;
  /** Position among the buttons; the smallest comes first. */
  readonly order?: number;
  /** Asks for the user's proof in place of the password. Without it the button leaves for the provider of the same id. */
  readonly Step?: ComponentType<SignInStepProps>;
  /** Replaces the button of a method with several providers. */
  readonly Buttons?: ComponentType<SignInButtonsProps>;
  /** True for a method that requests an account instead of signing in; it is offered below the others, and not to a user who signs in again. */
  readonly isRegistration?: boolean;
  /** Set for a method without a button, whose step begins by itself: when the browser returns from a provider, or for an identity that is linked to no user. */
  readonly handles?: 'return' | 'guest';
}

/** Sign-in methods of the plugins of this deployment. */
export class SignInMethodList {
  readonly all: readonly SignInMethod[];

  constructor(methods: readonly SignInMethod[]) {
    this.all = methods.toSorted((one, other) => (one.order ?? 0) - (other.order ?? 0));
  }

  handling(what: SignInMethod['handles']): SignInMethod | undefined {
    return this.all.find(({ handles }) => handles === what);
  }

  /** Lists the methods with buttons that the server offers in a tenant, with the value of each. */
  offered(ways: SignInWays): { readonly method: SignInMethod; readonly offered: readonly string[] }[] {
    const values: Readonly<Record<string, boolean | readonly string[]>> = ways;
    return this.all.flatMap((method) => {
      const value = values[method.id] ?? false;
      const offered = value === true ? [method.id] : value || [];
      return method.handles || offered.length === 0 ? [] : [{ method, offered }];
    });
  }
}
