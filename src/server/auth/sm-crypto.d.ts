declare module 'sm-crypto' {
  interface KeyPair {
    readonly privateKey: string;
    readonly publicKey: string;
  }
  const smCrypto: {
    readonly sm2: {
      /** Random, or from a number written in the given radix. */
      generateKeyPairHex(number?: string, radix?: number): KeyPair;
      doEncrypt(message: string, publicKey: string, cipherMode?: 0 | 1): string;
      /** '' when the digest differs. */
      doDecrypt(cipher: string, privateKey: string, cipherMode?: 0 | 1): string;
    };
  };
  export default smCrypto;
}
