// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gradstream.launcher.Audit;
import io.gradstream.launcher.JsonText;
import io.gradstream.launcher.kills.Outage;
import io.gradstream.training.model.BaseRate;
import io.gradstream.worker.filter.FilterCounts;
import io.gradstream.worker.filter.PushFilter;

/** The summary of a training run: what it did and proved, for a person or as one JSON object. */
public final class TrainSummary
{
    private static final String NOT_DEFINED = "n/a";
    private static final double MAX_WRITTEN_OUT = 1e6;
    private static final JsonText JSON = new JsonText(6);
    private static final String ACCURACY = "accuracy";
    private static final String AUC = "auc";
    private static final String LOG_LOSS = "log-loss";
    private static final String RMSE = "rmse";
    private static final String SAVED = " bytes of gradients saved";

    /** Fields that JSON has for one release under the name that they had before, too. */
    private static final Map<String, String> RENAMED = new TreeMap<>(Map.of(
        "outstandingInOutage", "inFlightAtFailure",
        "serviceGapMs", "unavailableMs",
        "workerBusyRatio", "workerUtilization",
        "waitRatio", "stalenessWaitRatio",
        "pushesDoubled", "duplicatedPushes",
        "pushesAltered", "corruptedPushes",
        "rowsNotFinite", "nonFiniteRows",
        "spoolPeakBytes", "maxUnackedBytes",
        "stalenessMax", "maxStaleness"));

    final String job = "train";
    String data = "";
    long examples;
    long features;
    int passes;
    int workers;
    /** Workers that have joined while training went on. */
    int workersAdded;
    /** Batches of each of them, in the order in which they have joined. */
    List<Long> addedWorkerBatches = List.of();
    int servers;
    int coordinators;
    int partitions;
    int placesMoved;
    int placesTotal;
    int partitionsMoved;
    int partitionsTotal;
    /** Of each partition whose lead moved the longest time without an acknowledgement. */
    List<Long> movePauseMs = List.of();
    /** Share of the examples a second that was kept while faults and moves went on. */
    double goodputShare = Double.NaN;
    /** Faults that were drawn at random, by their kind. */
    Map<String, Integer> faults = Map.of();
    String mode = "";
    String profile = "";
    String driver = "";
    String model = "";
    String function = "";
    int elections;
    List<Long> electionGapMs = List.of();
    long failovers;
    long spuriousFailovers;
    List<Long> epochs = List.of();
    long degradedMs;
    /** Processes of workers that were started again, because they had ended or were killed. */
    int slotsReplaced;
    /** Most pushes that are missing because restarted workers went on after their batches. */
    long pushesLeftOut;
    long pushesRefused;
    long nonFiniteRows;
    long maxUnackedBytes;
    /** Bytes of keys that workers did not send, because servers had them; 0 without {@code --key-cache}. */
    long keyBytesSaved;
    double workerUtilization = Double.NaN;
    double logBytesPerPush = Double.NaN;
    String parametersSha256 = "";
    int evaluations;
    /** Metric by which models were compared, or null if none was evaluated. */
    String bestMetric;
    double bestValue = Double.NaN;
    Long bestBatches;
    boolean stoppedEarly;
    String saved;
    String saveProblem;
    // what is not in the JSON, or is there under several names
    transient Map<String, Double> metrics = Map.of();
    /** Reasons why some of the metrics have no value, by name. */
    transient Map<String, String> undefined = Map.of();
    transient BaseRate baseRate;
    /** The quantity that is not finite, or null. */
    transient String divergence;
    /** Advice if training has diverged. */
    transient String advice = "";
    transient int testExamples;
    transient List<String> keptServers = List.of();
    transient double trueAuc = Double.NaN;
    transient Audit audit = new Audit();
    transient List<Outage> outages = List.of();
    transient Staleness staleness = Staleness.NONE;
    /** Counts of the work that workers divided as they went, or null. */
    transient WorkCounts work;
    transient int units;
    /** Batches of a push, which is an iteration. */
    transient int batchesOfPush = 1;
    /** Filters of the workers, and the rows that these have left out of pushes. */
    transient List<PushFilter> filters = List.of();
    transient FilterCounts filtered = FilterCounts.NONE;
    /** Rows of which workers that died held gradients back. */
    transient long rowsHeldLost;
    transient Speed speed = Speed.NONE;
    transient String keptDirectory;

    public static String decimal(final double value, final int digits)
    {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    /**
     * Metrics for people, in a fixed order.
     *
     * @param values by name.
     */
    static String metrics(final Map<String, Double> values)
    {
        return metrics(values, Map.of());
    }

    private static String metrics(final Map<String, Double> values, final Map<String, String> undefined)
    {
        return Stream.of(ACCURACY, AUC, LOG_LOSS, RMSE).filter(values::containsKey)
            .map((name) -> (AUC.equals(name) ? "AUC" : name.replace("-", "")) + " " + number(values.get(name)) +
                (undefined.containsKey(name) ? " (" + undefined.get(name) + ")" : ""))
            .collect(Collectors.joining(", "));
    }

    /** A number for people: n/a if it is not defined, and not written out if it is huge. */
    static String number(final double value)
    {
        return Double.isNaN(value) ? NOT_DEFINED :
            Math.abs(value) < MAX_WRITTEN_OUT ? decimal(value, 4) : String.format(Locale.ROOT, "%.3g", value);
    }

    /** True if no learned value, and nothing computed from one, is infinite or NaN. */
    boolean isFinite()
    {
        return 0 == nonFiniteRows && null == divergence;
    }

    private double loss()
    {
        return null == baseRate ? Double.NaN : metric(baseRate.metric());
    }

    private boolean isWorseThanBaseRate()
    {
        return null != baseRate && baseRate.isBetterThan(loss());
    }

    private boolean isAbsurd()
    {
        return null != baseRate && baseRate.isAbsurd(loss());
    }

    String json()
    {
        final Map<String, Object> json = new LinkedHashMap<>(JSON.members(this));
        json.put("accuracy", metric(ACCURACY));
        json.put("auc", metric(AUC));
        json.put("logloss", metric(LOG_LOSS));
        json.put("rmse", metric(RMSE));
        json.put("baseRateLoss", null == baseRate ? Double.NaN : baseRate.loss());
        json.put("worseThanBaseRate", isWorseThanBaseRate());
        json.put("diverged", !isFinite() || isAbsurd());
        json.put("pushesSent", audit.sent());
        json.put("pushesApplied", audit.applied());
        json.put("pushesLost", audit.lost());
        json.put("duplicatedPushes", audit.doubled());
        json.put("corruptedPushes", audit.altered());
        json.put("pushCountsUnknown", audit.unknown());
        json.put("kills", outages.size());
        json.put("inFlightAtFailure", outages.stream().map(Outage::outstanding).toList());
        json.put("unavailableMs", outages.stream().map(Outage::gapMs).toList());
        json.putAll(JSON.members(staleness));
        json.putAll(JSON.members(speed));
        if (null != work)
        {
            json.putAll(JSON.members(work));
        }
        if (!filters.isEmpty())
        {
            json.put("filters", filters.stream().map(Object::toString).toList());
            json.putAll(JSON.members(filtered));
            json.put("rowsHeldLost", rowsHeldLost);
        }
        RENAMED.forEach((before, now) -> json.put(before, json.get(now)));

        return JSON.of(json);
    }

    /** Take the data that the run is trained and tested on. */
    void describe(final TrainingData trained)
    {
        data = trained.name();
        examples = trained.examples();
        features = trained.features();
        trueAuc = trained.trueAuc();
        baseRate = trained.baseRate();
        testExamples = trained.test().size();
    }

    String text()
    {
        final StringBuilder text = new StringBuilder();
        line(text, "data", data + ", " + examples + " examples, " + features + " features, passes: " + passes);
        line(text, "cluster", servers + " servers, coordinators: " + coordinators + ", " + workers + " workers, " +
            partitions + " partitions, mode " + mode + ", profile " + profile + ", driver " + driver);
        line(text, "model", model + ", " + function);
        line(text, "test", (metrics.isEmpty() ? NOT_DEFINED + " (scores are not finite)" :
            metrics(metrics, undefined).replaceFirst("AUC [0-9.]+", "$0" + trueModel())) + " on " + testExamples +
            " examples");
        addBaseRate(text);
        if (!isFinite())
        {
            line(text, "NOT FINITE", (nonFiniteRows > 0 ? nonFiniteRows + " weights are infinite or NaN" : "") +
                (nonFiniteRows > 0 && null != divergence ? ", and " : "") + (null == divergence ? "" : divergence) +
                ": training has diverged " + advice);
        }
        addEvaluations(text);
        line(text, "pushes", audit.sent() + " sent, " + audit.applied() + " applied, " + audit.lost() + " lost, " +
            audit.doubled() + " doubled" + altered() + " (counted by the audit table, once for each partition)" +
            (0 == audit.unknown() ? "" : "; of " + audit.unknown() + " pairs of worker and partition it is not known" +
            " how many were sent: a process was killed when it had finished"));
        if (pushesLeftOut > 0)
        {
            line(text, "LEFT OUT", "at most " + pushesLeftOut + " pushes of batches in which a worker ended: the" +
                " one that took its place continues after them, and what had not reached a partition is not in the" +
                " model");
        }
        if (pushesRefused > 0)
        {
            line(text, "REFUSED", pushesRefused + " pushes were refused and are not in the model; standard error says" +
                " why");
        }
        addDisturbances(text);
        addElasticity(text);
        if (isDisturbed() && Double.isFinite(workerUtilization))
        {
            line(text, "outages", "workers could go on for " + decimal(100 * workerUtilization, 1) + " % of them, and" +
                " kept at most " + maxUnackedBytes + " bytes of pushes");
        }
        addStaleness(text);
        addFilters(text);
        line(text, "latency", "push " + decimal(speed.pushP50Us(), 0) + " us (p99 " + decimal(speed.pushP99Us(), 0) +
            "), pull " + decimal(speed.pullP50Us(), 0) + " us (p99 " + decimal(speed.pullP99Us(), 0) + ")" +
            afterWarmup());
        line(text, "speed", decimal(speed.examplesPerSecond(), 0) + " examples/s" + afterWarmup() + "; " +
            decimal(speed.seconds(), 1) + " s in all");
        line(text, "parameters", "sha256 " + parametersSha256);
        if (null != keptDirectory)
        {
            line(text, "kept in", keptDirectory);
        }

        return text.toString();
    }

    private void addStaleness(final StringBuilder text)
    {
        if (null != staleness.staleness())
        {
            line(text, "staleness", "bound " + staleness.staleness() + ": pulls were " +
                decimal(staleness.stalenessMean(), 2) + " " +
                (1 == batchesOfPush ? "batches" : "pushes of " + batchesOfPush + " batches") +
                " behind on average and " + staleness.maxStaleness() + " at most; workers waited " +
                decimal(100 * staleness.stalenessWaitRatio(), 1) + " % of the time for slower ones");
        }
        if (null != staleness.cachedRows())
        {
            line(text, "cache", staleness.cachedRows() + " rows of weights came from workers' caches, and " +
                staleness.fetchedRows() + " from servers");
        }
        if (keyBytesSaved > 0)
        {
            line(text, "key cache", keyBytesSaved + " bytes of keys were not sent, since servers had them");
        }
    }

    private void addFilters(final StringBuilder text)
    {
        for (final PushFilter filter : filters)
        {
            line(text, "filter", filter + ": " + (filter instanceof PushFilter.Significant ?
                filtered.rowsHeld() + " rows held back, " + filtered.heldBytesSaved() + SAVED +
                (0 == rowsHeldLost ? "" : "; about " + rowsHeldLost + " rows were lost with workers that held them") :
                filter instanceof PushFilter.RandomSkip ?
                filtered.rowsSkipped() + " rows skipped, " + filtered.skippedBytesSaved() + SAVED :
                filtered.rowsAtZero() + " rows at 0 left out, " + filtered.zeroBytesSaved() + SAVED));
        }
    }

    private void addDisturbances(final StringBuilder text)
    {
        if (null != work)
        {
            line(text, "work", work.text(units));
        }
        for (int i = 0; i < outages.size(); i++)
        {
            line(text, "kill " + (i + 1), "service back after " + outages.get(i).gapMs() + " ms, " +
                outages.get(i).outstanding() + " pushes outstanding in the outage");
        }
        for (int i = 0; i < electionGapMs.size(); i++)
        {
            line(text, "election " + (i + 1), "a coordinator led again " + electionGapMs.get(i) + " ms after the" +
                " leader was killed");
        }
        if (slotsReplaced > 0)
        {
            line(text, "workers", slotsReplaced + " started again, each where its slot stood");
        }
        if (failovers > 0)
        {
            line(text, "failovers", failovers + " (" + spuriousFailovers + " of processes that lived), fewer copies" +
                " than wanted for " + degradedMs + " ms");
        }
    }

    private void addElasticity(final StringBuilder text)
    {
        if (!faults.isEmpty())
        {
            line(text, "chaos", faults.entrySet().stream().map((fault) -> fault.getValue() + " x " +
                fault.getKey().replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT)).collect(
                Collectors.joining(", ")));
        }
        if (workersAdded > 0)
        {
            line(text, "joined", workersAdded + (1 == workersAdded ? " worker" : " workers") + ", with " +
                addedWorkerBatches.stream().map(String::valueOf).collect(Collectors.joining(", ")) + " batches");
        }
        if (placesMoved > 0)
        {
            line(text, "moved", placesMoved + " places, of " + partitionsMoved + " of " + partitionsTotal +
                " partitions" + (movePauseMs.isEmpty() ? "" : "; leads moved within " +
                movePauseMs.stream().map(String::valueOf).collect(Collectors.joining(", ")) + " ms"));
        }
        if (Double.isFinite(goodputShare))
        {
            line(text, "goodput", decimal(100 * goodputShare, 1) + " % of the examples/s before the first fault or" +
                " move");
        }
    }

    private void addBaseRate(final StringBuilder text)
    {
        if (null == baseRate)
        {
            return;
        }
        final String name = baseRate.metric().replace("-", "") + " ";
        if (Double.isNaN(baseRate.loss()))
        {
            line(text, "base rate", name + NOT_DEFINED + " (" + baseRate.prediction() + ")");
            return;
        }
        line(text, "base rate", name + number(baseRate.loss()) + ", " + baseRate.prediction());
        if (!isFinite())
        {
            // the line on values that are not finite says more
            return;
        }
        if (isAbsurd())
        {
            line(text, "ABSURD", name + number(loss()) + " is more than " + decimal(BaseRate.ABSURD_MULTIPLE, 0) +
                " times that of the base rate: training has diverged " + advice);
        }
        else if (isWorseThanBaseRate())
        {
            line(text, "WORSE", name + number(loss()) + " is above that of the base rate: the model is worse than" +
                " none, trained " + advice + ", or more --passes");
        }
    }

    private void addEvaluations(final StringBuilder text)
    {
        if (null != bestMetric)
        {
            line(text, "evaluated", evaluations + " times: best " + bestMetric + " " + number(bestValue) + " after " +
                bestBatches + " batches" + (stoppedEarly ? "; stopped early" : ""));
        }
        if (null != saved)
        {
            line(text, "saved", saved + (null == bestMetric ? "" : ", the best model"));
        }
        if (null != saveProblem)
        {
            line(text, "NOT SAVED", saveProblem + (keptServers.isEmpty() ? "" : "; gradstream model export --dir " +
                String.join(",", keptServers) + " --out FILE takes the last model out of the servers' directories," +
                " which are kept"));
        }
    }

    /** True if there was an outage to report. A server that is silent for a moment on a busy machine is none. */
    private boolean isDisturbed()
    {
        return !outages.isEmpty() || !electionGapMs.isEmpty() || failovers > 0;
    }

    private double metric(final String name)
    {
        return metrics.getOrDefault(name, Double.NaN);
    }

    private String afterWarmup()
    {
        return 0 == speed.warmupSeconds() ? "" :
            ", after " + decimal(speed.warmupSeconds(), 1) + " s in which the JVMs warmed up";
    }

    private String altered()
    {
        return 0 == audit.altered() ? "" : ", " + audit.altered() + " taken for another with the same sequence";
    }

    private String trueModel()
    {
        return Double.isNaN(trueAuc) ? "" : " (true model " + decimal(trueAuc, 4) + ")";
    }

    private static void line(final StringBuilder text, final String name, final String value)
    {
        text.append(String.format(Locale.ROOT, "%-11s %s%n", name, value));
    }
}
