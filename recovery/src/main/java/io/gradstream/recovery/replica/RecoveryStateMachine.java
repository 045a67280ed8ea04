// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

import io.gradstream.recovery.replica.Replica.State;

/**
 * Decides what a replica does about the role that the coordinator wants it in: a function of that role and its state.
 * How far its log and snapshots have come moves a replica from state to state, too; {@link Replica} sees to that
 * itself.
 */
final class RecoveryStateMachine
{
    /** The action of a replica. */
    enum Step
    {
        /** Nothing: the role changes nothing in this state. */
        STAY,
        /** Tell the coordinator how far its log goes, and wait for a role. */
        REPORT,
        /** Ask the predecessor to be followed, keeping the log. */
        FOLLOW,
        /** Start the epoch of which it is the head. */
        START_EPOCH,
        /** Cut or delete what is damaged of its log, so that it can follow. */
        REPAIR,
        /** Ask the coordinator to take its place as joiner. */
        ASK_TO_LEAVE,
        /** Delete everything. */
        WIPE,
        /** Stop following, keep the log open and all that is applied, and wait for another role. */
        AWAIT_ROLE,
        /** Recover again from its own disk. */
        RECOVER_AGAIN,
        /** Stop for good: a member in sync has a log from which it cannot go on. */
        HALT
    }

    private RecoveryStateMachine()
    {
    }

    /**
     * The step that a role asks for.
     *
     * @param state    present state.
     * @param role    it is wanted in.
     * @param isNews  true if the role differs from what the replica acts on: a head has an epoch that is newer than its
     *                log, a follower has another predecessor, or the log of a replica that leaves may be needed.
     * @param isSound true if its own log can be used.
     * @return the step to take.
     */
    static Step step(final State state, final Role role, final boolean isNews, final boolean isSound)
    {
        return switch (state)
        {
            // what the chain is when it gets to the end of its log counts
            case LOAD_SNAPSHOT, REPLAY_LOG, OPEN_LOG, TRUNCATE_LOG, WIPE, HALTED -> Step.STAY;
            case AWAIT_ROLE -> switch (role)
            {
                case NONE -> Step.REPORT;
                case JOINER, MEMBER -> isSound ? Step.FOLLOW : Step.REPAIR;
                case HEAD -> isSound && isNews ? Step.START_EPOCH : Step.REPORT;
            };
            case FOLLOW_LOG -> switch (role)
            {
                // what it has applied is what its log holds, so there is nothing to read again
                case NONE -> Step.AWAIT_ROLE;
                case JOINER, MEMBER -> isNews ? Step.FOLLOW : Step.STAY;
                case HEAD -> Step.START_EPOCH;
            };
            case FETCH_SNAPSHOT -> role.isFollower() && !isNews ? Step.STAY : Step.RECOVER_AGAIN;
            case LEAVE_CHAIN -> switch (role)
            {
                // it was admitted by what it has, and removed again: nobody has confirmed that this is not needed
                case NONE -> isNews ? Step.RECOVER_AGAIN : Step.WIPE;
                case JOINER -> Step.ASK_TO_LEAVE;
                // if it recovered and stayed in sync, the end of its log could be lost that was not recorded yet
                case MEMBER, HEAD -> Step.HALT;
            };
            case START_EPOCH -> Role.HEAD == role && !isNews ? Step.STAY : Step.RECOVER_AGAIN;
            case PRIMARY -> switch (role)
            {
                case NONE, JOINER -> Step.RECOVER_AGAIN;
                // it has handed the lead over: its log is that of all members, and what is not recorded yet is needed
                case MEMBER -> Step.FOLLOW;
                case HEAD -> isNews ? Step.START_EPOCH : Step.STAY;
            };
        };
    }
}
