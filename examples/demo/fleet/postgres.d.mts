export const howToGetIt: string;
export function postgresFolder(): string | undefined;
export interface PrivatePostgres {
  readonly url: string;
  readonly folder: string;
  readonly crash: () => void;
  readonly remove: () => void;
}
export function privatePostgres(): Promise<PrivatePostgres | undefined>;
