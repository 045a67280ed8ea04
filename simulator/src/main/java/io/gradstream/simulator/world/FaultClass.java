// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.world;

/** The kinds of faults; each has a random stream of its own, so that removing one does not move the others. */
public enum FaultClass
{
    /** An image between a worker and a node dies with its messages and the worker connects again. */
    LINK_LOSS,
    /** An image between two nodes dies with its messages, and the next one may begin with a hole. */
    NEIGHBOUR_LOSS,
    /** Messages that were under way in a dead image still arrive, in their order, beside the new image. */
    LINGER,
    /** Messages vanish and nobody is told: an image joined in mid-stream. */
    HOLE,
    /** Messages take long. */
    DELAY,
    /** Offers are refused. */
    BACK_PRESSURE,
    /** Claims in the log or in a snapshot find no room. */
    LOG_FULL,
    /** A process stops for a while, across lease and suspicion. */
    PAUSE,
    /** A node dies between two events. */
    NODE_CRASH,
    /** A node dies inside an operation of its log or snapshot. */
    CRASH_POINT,
    /** All nodes die at once. */
    CRASH_OF_ALL,
    /** A worker dies and a new incarnation takes its slot over. */
    WORKER_CRASH,
    /** Messages of one node to another do not arrive for a while: one way, or both. */
    NETSPLIT,
    /** The Archive falls behind. */
    RECORDING_LAG,
    /** Archive calls that take long: opening, cutting and deleting a log. */
    STORAGE_LAG,
    /** One bit of the newest snapshot flips while the node is down. */
    SNAPSHOT_ROT,
    /** One bit of one copy of the log flips while the node is down. */
    LOG_ROT,
    /** The coordinator's messages take long, are refused or come twice. */
    COORDINATOR_LAG,
    /** The nodes' clocks differ and drift. */
    CLOCKS,
    /** A node hears none of the others for a while, though they hear it. */
    DEAFNESS,
    /** Messages of the coordinator do not reach one node for a while, or reach one alone. */
    COORDINATOR_SPLIT,
    /** A coordinator dies: the leader with what a majority did not have, or another one. */
    COORDINATOR_CRASH,
    /** A coordinator stops for a while: a leader may be no leader any more when it goes on. */
    COORDINATOR_PAUSE,
    /** A coordinator takes a snapshot, from which it starts again later. */
    COORDINATOR_SNAPSHOT,
    /** The coordinators' timers ring late. */
    COORDINATOR_TIMER,
    /** The session of a node or of a worker with the coordinators is lost with what is under way in it. */
    SESSION_LOSS,
    /** The leader of the coordinators dies in the same moment as a primary. */
    LEADER_WITH_PRIMARY,
    /** A dead node stays away so long that its places are given to others. */
    NODE_LOST,
    /** One bit of a record flips on the way to the next node, and no frame's checksum shows it. */
    TRANSIT_ROT,
    /** One worker, or all of them, and a node do not reach each other for a while. */
    WORKER_SPLIT,
    /** A worker stands still, another process takes its slot over, and the first one wakes. */
    TAKEOVER,
    /** Some of the ways from and to one node are cut for a while, those of the coordinators with them. */
    CUT,
    /** A node stops for a while in the middle of its duty cycle. */
    PAUSE_IN_CYCLE,
    /** Queues, windows, spools and messages are as short as they may be. */
    TINY_BOUNDS,
    /** A node is started a second time, on another host, while its first process lives, stands still or is cut off. */
    SECOND_PROCESS,
    /** Requests of a worker do not reach one node for a while though the answers arrive, or the other way round. */
    ONE_WAY_SPLIT,
    /** The only copy of a partition is damaged. */
    FATAL_LOSS,
    /** A living node reaches nobody for so long that its places are given to others. */
    NODE_ISOLATED,
    /** Logs are kept as the bytes of an Archive's files: a kill tears them, bits flip, and they are repaired. */
    STORED_AS_BYTES,
    /** Half of what is pushed is refused. No frame of a snapshot or message to a worker lists much of it. */
    MANY_REFUSALS,
    /** A node more than the job begins with comes in the middle of the run, and is given its share of places. */
    LATE_NODE,
    /** A user has a node drained, and lets it have places again later. */
    DRAIN,
    /** A user creates other jobs in the cluster, has workers push to them, and deletes them again. */
    JOBS,
    /** A worker stands still for longer than the lease of its slot. */
    LONG_PAUSE
}
