/** The used part of `pg`, which declares no types of its own. */
declare module "pg" {
  const pg: { readonly Pool: new (options: object) => import("./sdk.ts").Database };
  export default pg;
}
