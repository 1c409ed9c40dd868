/** What the numbers mean with which Aave V3 (up to 3.3) reverts: those that an account's own calls can meet. */
const names: Readonly<Record<string, string>> = {
  '24': 'INVALID_MINT_AMOUNT',
  '25': 'INVALID_BURN_AMOUNT',
  '26': 'INVALID_AMOUNT',
  '27': 'RESERVE_INACTIVE',
  '28': 'RESERVE_FROZEN',
  '29': 'RESERVE_PAUSED',
  '30': 'BORROWING_NOT_ENABLED',
  '32': 'NOT_ENOUGH_AVAILABLE_USER_BALANCE',
  '34': 'COLLATERAL_BALANCE_IS_ZERO',
  '35': 'HEALTH_FACTOR_LOWER_THAN_LIQUIDATION_THRESHOLD',
  '36': 'COLLATERAL_CANNOT_COVER_NEW_BORROW',
  '39': 'NO_DEBT_OF_SELECTED_TYPE',
  '43': 'UNDERLYING_BALANCE_ZERO',
  '45': 'HEALTH_FACTOR_NOT_BELOW_THRESHOLD',
  '50': 'BORROW_CAP_EXCEEDED',
  '51': 'SUPPLY_CAP_EXCEEDED',
  '57': 'LTV_VALIDATION_FAILED',
  '62': 'USER_IN_ISOLATION_MODE_OR_LTV_ZERO',
  '82': 'ASSET_NOT_LISTED',
}

/** Adds its name to a revert text that is a bare number, as only Aave's are; any other text stays as it is. */
export function nameAaveError(text: string): string {
  const name = names[text]
  return name ? `${text} (${name})` : text
}
