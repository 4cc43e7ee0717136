import { registerUser } from '#shared/kernel-parameters';
import type { Parameters } from '../../../base/parameters.ts';

/** Policy for registration requests, from the parameter `account.registerUser`. */
export class RegistrationPolicy {
  constructor(private readonly parameters: Parameters) {}

  /** Allows unlinked external identities to register unless the parameter is `false`. */
  async guests(): Promise<boolean> {
    return (await this.said()) !== 'false';
  }

  /** Allows everyone to register only if the parameter is `true`. */
  async everybody(): Promise<boolean> {
    return (await this.said()) === 'true';
  }

  private async said(): Promise<string> {
    return (await this.parameters.text(registerUser)).trim().toLowerCase();
  }
}
