// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

interface IShareTime {
    function shareTimeOf(address account) external view returns (uint256);
}

interface IRewardsDistributor {
    function root() external view returns (bytes32);
    function claimed(address account, address reward) external view returns (uint256);
}

interface IRewardGrants {
    function granted(address account, address reward) external view returns (uint256);
}

/// @title RewardsLens
/// @notice Answers in one call what the rewards updater and a claim need to know of an account. Has no state.
contract RewardsLens {
    /// @dev Vaults of forks keep no such books: there is nothing that the simulator's tariff would pay for.
    /// @return root The newest root of the distributor
    /// @return claimed What the account has had of the reward, ever
    /// @return shareTime The account's seconds of sole ownership, of all vaults together, scaled by 1e18
    /// @return granted What the account is due beside what it earned
    function read(
        IRewardsDistributor distributor,
        IRewardGrants grants,
        address reward,
        IShareTime[] calldata vaults,
        address account
    ) external view returns (bytes32 root, uint256 claimed, uint256 shareTime, uint256 granted) {
        root = distributor.root();
        claimed = distributor.claimed(account, reward);
        granted = grants.granted(account, reward);
        for (uint256 i = 0; i < vaults.length; i++) {
            shareTime += _shareTimeOf(vaults[i], account);
        }
    }
    /// @dev Zero for a vault that knows nothing of it.
    function _shareTimeOf(IShareTime vault, address account) private view returns (uint256) {
        (bool known, bytes memory answer) = address(vault).staticcall(abi.encodeCall(vault.shareTimeOf, (account)));
        return known && answer.length == 32 ? abi.decode(answer, (uint256)) : 0;
    }
}
