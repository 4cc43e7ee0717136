import type { Parameters } from '../parameters.ts';

/** Whether people may ask for accounts: the parameter `account.registerUser`. */
export class OpenDoors {
  constructor(private readonly parameters: Parameters) {}

  /** Those with an identity elsewhere may, unless the parameter is `false`. */
  async guests(): Promise<boolean> {
    return (await this.said()) !== 'false';
  }

  /** Anybody may, only where it is `true`. */
  async everybody(): Promise<boolean> {
    return (await this.said()) === 'true';
  }

  private async said(): Promise<string> {
    return (await this.parameters.text('account.registerUser', '')).trim().toLowerCase();
  }
}
